import { type Palette, paletteOf } from './palette.ts';

/** The style sheet of all hosted pages, in the brand's color, light and dark. It is inlined in the page. */
export function styleSheet(brandColor: string): string {
  return `:root{color-scheme:light dark;${variables(paletteOf(brandColor, 'light'))}}
@media (prefers-color-scheme:dark){:root{${variables(paletteOf(brandColor, 'dark'))}}}
${rules}`;
}

function variables(palette: Palette): string {
  return Object.entries(palette)
    .map(([name, color]) => `--${name.replaceAll('_', '-')}:${color}`)
    .join(';');
}

/*
 * Text sizes and spaces are in rem, so that a reader's own text size scales everything. Rows wrap before they overflow: 320 CSS
 * pixels are enough, and 1280 at 400 % zoom equals 320.
 */
const rules = `*,*::before,*::after{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;min-height:100vh;min-height:100svh;display:flex;flex-direction:column;background:var(--page);color:var(--text);
font:1rem/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;overflow-wrap:break-word}
header{padding:2.5rem 1.25rem 1.25rem;text-align:center}
.logo{display:inline-block;height:3rem;width:auto;max-width:min(16rem,80vw);object-fit:contain}
.wordmark{margin:0;font-size:1.375rem;font-weight:700;letter-spacing:-.01em}
main{flex:1;width:100%;max-width:36rem;margin:0 auto;padding:0 1rem}
.card{position:relative;overflow:hidden;background:var(--card);border:1px solid var(--line);border-radius:1.25rem;
padding:clamp(1.25rem,5vw,2.25rem);box-shadow:0 1px 2px rgb(0 0 0/.05),0 1rem 2.5rem -1.25rem rgb(0 0 0/.25)}
.card::before{content:"";position:absolute;inset:0 0 auto;height:.3125rem;background:var(--button-edge)}
h1{margin:0 0 .5rem;font-size:clamp(1.5rem,5vw,1.875rem);line-height:1.2;letter-spacing:-.02em;text-wrap:balance}
h2{margin:0;font-size:1.0625rem;line-height:1.35}
p{margin:0 0 1rem}
p:last-child{margin-bottom:0}
.lead,.quiet{color:var(--quiet)}
a{color:var(--accent);text-underline-offset:.2em}
.icon{flex:none;width:1.5rem;height:1.5rem}
.medallion{display:inline-flex;align-items:center;justify-content:center;width:3.5rem;height:3.5rem;margin-bottom:1rem;
border-radius:50%;background:var(--panel);color:var(--accent)}
.medallion .icon{width:1.75rem;height:1.75rem}
.medallion.done{background:var(--button);color:var(--on-button);border:1px solid var(--button-edge)}
.panel{margin:1.5rem 0;padding:1.25rem;border-radius:1rem;background:var(--panel)}
.panel .channel{margin-bottom:1rem}
.channel{display:flex;flex-wrap:wrap;align-items:center;gap:.5rem .75rem}
.channel .icon{color:var(--accent)}
.channel .name{flex:1 1 5rem;min-width:0;font-weight:600}
.state{display:inline-flex;align-items:center;gap:.4rem;font-size:.875rem;color:var(--quiet);font-weight:400}
.state::before{content:"";width:.625rem;height:.625rem;border-radius:50%;border:2px solid currentColor}
.state.on{color:var(--text)}
.state.on::before{background:currentColor}
.state.unknown::before{border-style:dotted}
ul{list-style:none;margin:0;padding:0}
.channels li{padding:.75rem 0;border-top:1px solid var(--line)}
.channels li:first-child{border-top:0}
.channels li{min-height:4.25rem}
section+section,form>section{margin-top:1.75rem}
button{font:inherit;font-weight:600;color:inherit;cursor:pointer;min-height:2.75rem;padding:.5rem 1.125rem;border-radius:.75rem;
background:transparent;border:1.5px solid var(--quiet);transition:filter .15s,background-color .15s}
button:hover{background:var(--panel)}
button.primary{display:block;width:100%;min-height:3.25rem;padding:.75rem 1.25rem;font-size:1.0625rem;background:var(--button);
color:var(--on-button);border-color:var(--button-edge)}
button.primary:hover{background:var(--button);filter:brightness(.94)}
button.wide{display:block;width:100%;margin-top:1.25rem;min-height:3.25rem}
:focus-visible{outline:3px solid var(--accent);outline-offset:3px;border-radius:.25rem}
button:focus-visible{border-radius:.75rem}
.notice{display:flex;gap:.75rem;margin:0 0 1.5rem;padding:1rem;border-radius:.75rem;background:var(--panel);
border-inline-start:.25rem solid var(--accent)}
.notice .icon{color:var(--accent)}
.stopped{margin:.5rem 0 1.5rem}
.stopped li{display:flex;align-items:center;gap:.75rem;padding:.5rem 0;font-weight:600}
.stopped .icon{color:var(--accent)}
.steps{margin:.75rem 0 0}
.steps li{position:relative;padding-inline-start:1.5rem;margin-bottom:.625rem;color:var(--quiet)}
.steps li::before{content:"";position:absolute;inset-inline-start:.25rem;top:.6em;width:.4rem;height:.4rem;border-radius:50%;
background:var(--accent)}
.undo{display:flex;flex-wrap:wrap;align-items:center;gap:.75rem 1rem;margin-top:1.75rem;padding-top:1.25rem;
border-top:1px solid var(--line)}
.undo p{flex:1 1 14rem;margin:0}
.after{margin-top:1.25rem}
footer{width:100%;max-width:36rem;margin:0 auto;padding:1.5rem 1.25rem 2.5rem;display:flex;flex-wrap:wrap;
align-items:flex-start;justify-content:space-between;gap:.75rem 1.5rem;font-size:.9375rem;color:var(--quiet)}
footer p{margin:0;padding:.375rem 0}
summary{display:inline-flex;align-items:center;gap:.5rem;padding:.375rem 0;cursor:pointer;list-style:none}
summary::-webkit-details-marker{display:none}
summary .icon{width:1.125rem;height:1.125rem}
summary .current{text-decoration:underline;text-underline-offset:.2em}
details[open]{flex-basis:100%}
.languages{display:grid;grid-template-columns:repeat(auto-fill,minmax(7.5rem,1fr));gap:.25rem 1rem;padding-top:.25rem}
.languages a,.languages strong{display:inline-block;padding:.375rem 0;min-height:1.5rem}
.hidden{position:absolute;width:1px;height:1px;margin:-1px;padding:0;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
@media (prefers-reduced-motion:reduce){*{transition:none!important;animation:none!important}}
@media (forced-colors:active){.state::before{forced-color-adjust:none}.medallion{border:1px solid}}
@media (max-width:24rem){.channels button{flex-basis:100%}}
`;
