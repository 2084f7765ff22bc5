/*
 * Migration files from the time when the checksum included comments: the SHA-256 of the whole file, and the SHA-256 of
 * its statements, which is compared now. A database that recorded the first one has the schema of the second one.
 * Remove this file with the first release (docs/decisions/1201).
 */
export const formerForms: readonly { name: string; file: string; statements: string }[] = [
  {
    name: '0001-brands.sql',
    file: '33e2c09bcb1c4ded64e476417cc58fd3722270379d69e30d57d68532369025e1',
    statements: '4c9ffec6fe429e088932e19c48177abc36fa86f985fc6b2d9dd5129f1c369a8a',
  },
  {
    name: '0002-ledger.sql',
    file: 'f4340a5b3f31de89868af244a7cd928f5b5c23791f2b12dab10e08a021d93449',
    statements: 'fdf74f154efbdf923d9f7aa685cfcbf2ef0dd62b89666975cfd9c45ba6dd3d47',
  },
  {
    name: '0003-derive.sql',
    file: 'a576b046fc99a15a8a4db5ef15bd2baa083178bb754ef76c88911fafcd038997',
    statements: 'a5f0a55cefa9f738c216ced949f80dd4ae7693f313d54b495a4820fbbbb420bb',
  },
  {
    name: '0004-operator.sql',
    file: '3b0239955669abbbc181778c84fa11153315203afca6b21a239207dc5e81f5e6',
    statements: 'ec16ffdca3ff94784e9ac254b20cdddb387bb360be83eef511eae25e71b3895f',
  },
  {
    name: '0005-ingest.sql',
    file: 'ab86fde580055ad822c5b97b8708c03c2242fa4e23b81923ac5485894e42ae84',
    statements: '08750ce628aba2785f24a36bf42b06953122a2c5b7f30d5bf0fcc73f720d932c',
  },
  {
    name: '0006-console.sql',
    file: '86a94c3e5caae47f81abcc0505005ecb10f12e1a5f691fec59e769733ee69981',
    statements: '8c83460275d772d0d8ec4ab07e7973c67cf7200fbee5cc64e5346f63919635f5',
  },
  {
    name: '0007-actions.sql',
    file: 'fdcc6ad6f46a4852d93923a2347747742d34aa71b0e29071fb9f73d3aa72d2b9',
    statements: 'f66ba10bb31c87bd6774160f18b1e767fff097718a1e7aed876523dffe1df476',
  },
  {
    name: '0008-gate.sql',
    file: '8abff0ad51ab858c75c18927950dbce637e454708d9a001bc72b83db71f98cfb',
    statements: '58ee7d53170e26915852a9ad360d8842bdd0c622050d94f29351371073b02194',
  },
  {
    name: '0009-channels.sql',
    file: 'fffe582943a5917b2c104e68a018670a0b25789189842ade0d330ee3f10065e7',
    statements: '3937ba55aca5e508bac157314e09d8b0f9a65ded78544196312066c17e9d576b',
  },
  {
    name: '0010-site.sql',
    file: '48c2a293a9a702063303ba07605e8913a6117a7c2a50b15c0e5b7a0c46b2edfc',
    statements: '8113952a9128a227792e88ce781b30acd4b63c6270aca1aeb370730f60c7a9e3',
  },
  {
    name: '0011-hosted.sql',
    file: 'd132e705d33f4ca7743977450dee82cf2c131e0a434850c094ebe7c162996d36',
    statements: '611eb3b3586433f2c4219d5527481b7c9cd8f4e00fdeb4942ba66ef3e96f4862',
  },
  {
    name: '0012-privacy.sql',
    file: 'e75088f64a58c996da515f4e45cd1d1a17f05fd01889880a18e3f4fc203f216b',
    statements: '35c27ccbadb70d6a59af571661aca36a260f4d79a50ba9dbd0f94dfd9800a1a7',
  },
  {
    name: '0013-outgoing.sql',
    file: '14f515d4b4796ce0e35f8ef0f2ff4197b6d68ebe834aeaa918ddc9b663696594',
    statements: '9b4750190764a8e562e2db29afc385d1afd574e7a20c7219c93375244d56d4f7',
  },
  {
    name: '0014-chores.sql',
    file: '2ad9398590f1bba4f20f778233cc74e8a2142ae22aef02ce289d5a9da75037bc',
    statements: 'e1124aed97dbff967819704672290ddf279b18de6b76fa08369aeaba9881645c',
  },
  {
    name: '0015-buckets.sql',
    file: '865cf2115583523491f3ee66421c09787fd8349d8c9836ddb1c05f9b1b260d3f',
    statements: 'a8b583ee2b9f114f189c18a098663ba3e5915e2ee8ba479c5f13abb616fb990a',
  },
  {
    name: '0017-segments.sql',
    file: 'a416609b2bff3a99e3c21ef10d9a36a369bdac36e4b7186d26a23a5c43245e9a',
    statements: '90a4400dee788443662125e9e50ae44615cd4e38ecb651508de5941afb97357c',
  },
  {
    name: '0018-campaigns.sql',
    file: '9607afe41ab1cfaf90dec5fdccd9a310ab3a3c0c3f3bad81aee9291684ff9583',
    statements: '63e35dcd54f8a6434838f071269b7853be2a719d9767c0d220e7d83a0e8cd6c1',
  },
  {
    name: '0019-bulk.sql',
    file: '125807f6216eb72c426c1badf205593cfe368ba4779707fdc6914072d7ef1de7',
    statements: '787104e9a104afd062f1d3e09531325ec7b99f40fb138a3992834e6da561e78b',
  },
  {
    name: '0020-media.sql',
    file: '78dce3f63308e37d3dfe70bf15fdf88c3d65166432cf978fd47acb1acd62f9d4',
    statements: '799d56a7e38b274e03817591a93e3d25ad423c35f6c7c9b35e65e83539fd2d65',
  },
];
