import type { OpenApiDocument } from '@croupier/contracts';

/** One API document, served as /openapi/<name>.json and offered at /docs. */
export interface ApiDocument {
  /** Lower-case letters and hyphens. */
  name: string;
  title: string;
  document: () => OpenApiDocument;
}

/** The page at /docs: Swagger UI with a choice of the documents. Its addresses are absolute paths, so /docs and /docs/ work. */
export function docsPage(documents: readonly ApiDocument[]): string {
  const addresses = documents.map(({ name }) => addressOf(name)).join(', ');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Croupier API</title>
<link rel="stylesheet" href="/docs/assets/swagger-ui.css">
<link rel="icon" type="image/png" href="/docs/assets/favicon-32x32.png">
</head>
<body>
<div id="docs"></div>
<noscript>The documents themselves: ${addresses}.</noscript>
<script src="/docs/assets/swagger-ui-bundle.js"></script>
<script src="/docs/assets/swagger-ui-standalone-preset.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;
}

/** Starts Swagger UI. `validatorUrl: null` keeps it from sending the document's address to a public validator. */
export function docsStart(documents: readonly ApiDocument[]): string {
  const urls = documents.map(({ name, title }) => ({ name: title, url: addressOf(name) }));
  return `SwaggerUIBundle({
  urls: ${JSON.stringify(urls)},
  dom_id: '#docs',
  deepLinking: true,
  validatorUrl: null,
  persistAuthorization: false,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
  layout: 'StandaloneLayout',
});
`;
}

/** Where a document is served. */
export function addressOf(name: string): string {
  return `/openapi/${name}.json`;
}
