/*
 * A minimal tag manager: a variable that is read from the dataLayer, a trigger, and a tag.
 *
 *   variable  sid       the newest dataLayer entry with that key
 *   trigger   page view, once the DOM is ready
 *   tag       sets window.sid from the variable and adds the platform's script
 */
(() => {
  const steps = [];
  const report = (text) => {
    steps.push(text);
    const list = document.getElementById('steps');
    list?.replaceChildren(...steps.map((step) => Object.assign(document.createElement('li'), { textContent: step })));
  };
  const variable = (key) => window.dataLayer.findLast((entry) => entry[key] !== undefined)?.[key];

  async function tag() {
    const bell = document.getElementById('inbox');
    const sid = variable('sid');
    report(
      sid === undefined ? 'The dataLayer has no sid, because no player is signed in.' : 'The dataLayer has the sid.',
    );
    const { platform } = await (await fetch('/api/casino')).json();
    window.sid = sid;
    window.crmbrand = platform.brand;
    window.crm = {
      integrationVersion: '1.1',
      autoInit: true,
      inbox: { enable: true, badgeId: 'inbox-badge' },
    };
    const url = `${platform.url}/loader/crm.js`;
    const policy = window.trustedTypes?.createPolicy('casino', { createScriptURL: (text) => text });
    const script = document.createElement('script');
    script.async = true;
    script.src = policy?.createScriptURL(url) ?? url;
    script.onload = () => {
      // Errors come from the platform's script: without a sid, missing_session.
      window.Crm.on('error', ({ code, message }) => report(`The script reports the error ${code}: ${message}.`));
      report(
        sid === undefined ? 'The script is loaded.' : 'The script is loaded and started automatically (autoInit).',
      );
      new window.CrmLoader();
      bell.disabled = sid === undefined;
      bell.addEventListener('click', () => window.Crm.toggleInbox());
    };
    document.head.append(script);
    report(
      sid === undefined ? 'The tag added the script without a sid.' : 'The tag set window.sid and added the script.',
    );
  }

  report('The tag manager started.');
  const trigger = () => {
    report('Page view, DOM ready: the tag fires.');
    void tag();
  };
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', trigger);
  else trigger();
})();
