import type { OpenApiDocument } from '@croupier/contracts';

/** One API document, served as /openapi/<name>.json and offered at /docs. */
export interface ApiDocument {
  /** Lower-case letters and hyphens. */
  name: string;
  title: string;
  document: () => OpenApiDocument;
}

/**
 * The page at /docs: Swagger UI in the platform's own frame, with one link for each document. The addresses are absolute paths,
 * so /docs and /docs/ both work.
 */
export function docsPage(documents: readonly ApiDocument[]): string {
  const links = documents.map(
    ({ name, title }) => `<a href="/docs?api=${name}" data-document="${addressOf(name)}">${title}</a>`,
  );
  const addresses = documents.map(({ name }) => addressOf(name)).join(', ');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Croupier API</title>
<link rel="stylesheet" href="/docs/assets/swagger-ui.css">
<link rel="stylesheet" href="/docs/page.css">
<link rel="icon" type="image/svg+xml" href="/docs/icon.svg">
</head>
<body>
<header class="docs-bar">
<a class="docs-brand" href="/docs"><img src="/docs/icon.svg" alt="" width="28" height="28"> Croupier API</a>
<nav aria-label="APIs">
${links.join('\n')}
</nav>
<a class="docs-file" href="${addressOf(documents[0]?.name ?? '')}" download>OpenAPI file</a>
</header>
<main id="docs"></main>
<noscript>The documents: ${addresses}.</noscript>
<script src="/docs/assets/swagger-ui-bundle.js"></script>
<script src="/docs/page.js"></script>
</body>
</html>
`;
}

/** The address of a document. */
export function addressOf(name: string): string {
  return `/openapi/${name}.json`;
}
