/* Runs in the browser at /docs: shows the document named in the address, in the system's color scheme. */
const links = [...document.querySelectorAll('.docs-bar nav a')];
const wanted = new URLSearchParams(location.search).get('api');
const current = links.find((link) => link.href.endsWith(`?api=${wanted}`)) ?? links[0];
current.setAttribute('aria-current', 'page');
document.title = `${current.textContent} · Croupier`;
document.querySelector('.docs-file').href = current.dataset.document;

const dark = matchMedia('(prefers-color-scheme: dark)');
const followScheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', followScheme);
followScheme();

SwaggerUIBundle({
  url: current.dataset.document,
  dom_id: '#docs',
  layout: 'BaseLayout',
  deepLinking: true,
  filter: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  persistAuthorization: false,
  // Otherwise Swagger UI would send the address of the document to a public validator.
  validatorUrl: null,
});
