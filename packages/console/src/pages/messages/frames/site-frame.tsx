import { Button, Stack } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { SiteScene } from '../../../frames/site-scene.ts';
import { messages } from '../../../text/messages.ts';
import { useWords } from '../../../text/text.tsx';
import { withOwnPictures } from '../media/queries.ts';
import type { BrandShown } from '../queries.ts';

interface SceneFrameProps {
  scene: SiteScene;
  title: string;
  isPhone?: boolean;
}

/**
 * Shows the brand's own browser script in a page without a session. The page shows demo messages, which no server
 * stores.
 */
export function SceneFrame({ scene, title, isPhone = false }: SceneFrameProps) {
  const { preview } = useWords(messages);
  const frame = useRef<HTMLIFrameElement>(null);
  const [isReady, setReady] = useState(false);
  const shown = JSON.stringify(scene);
  useEffect(() => {
    const receive = ({ source, data }: MessageEvent) => {
      if (source === frame.current?.contentWindow && data === 'ready') setReady(true);
    };
    addEventListener('message', receive);
    return () => removeEventListener('message', receive);
  }, []);
  useEffect(() => {
    // The frame has no origin, so the target is '*'. The policy of this page prevents the frame from loading another
    // page.
    if (isReady) frame.current?.contentWindow?.postMessage(JSON.parse(shown), '*');
  }, [isReady, shown]);
  // The frame is inert while the user is typing, so that Tab does not enter the message. The user can activate the
  // message to try it.
  const [isTried, setTried] = useState(false);
  // When a modal is redrawn, it moves the focus into its frame, even if the frame is inert. This returns the focus to
  // the field in which the user was typing.
  useEffect(() => {
    if (isTried) return;
    const keep = ({ target }: FocusEvent) => {
      setTimeout(() => {
        if (document.activeElement === frame.current && target instanceof HTMLElement) target.focus();
      });
    };
    addEventListener('focusout', keep);
    return () => removeEventListener('focusout', keep);
  }, [isTried]);
  const leave = ({ target }: Event) => {
    if (target !== frame.current) setTried(false);
  };
  useEffect(() => {
    if (!isTried) return;
    addEventListener('focusin', leave);
    addEventListener('pointerdown', leave);
    return () => {
      removeEventListener('focusin', leave);
      removeEventListener('pointerdown', leave);
    };
  });
  const className = `device ${isPhone ? 'device-phone' : 'device-desktop'} ${scene.isDark ? 'device-dark' : ''}`;
  return (
    <Stack gap={4} align="center">
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the button below does the same */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the same */}
      <div className={className} style={{ width: isPhone ? undefined : '100%' }} onClick={() => setTried(true)}>
        <iframe
          ref={frame}
          className="site-document"
          src="/console/frames/site"
          sandbox="allow-scripts"
          title={title}
          inert={!isTried}
        />
      </div>
      <Button
        size="compact-xs"
        variant="subtle"
        aria-pressed={isTried}
        onClick={() => {
          setTried(true);
          // This runs once the element can receive the focus.
          requestAnimationFrame(() => frame.current?.focus());
        }}
      >
        {preview.tryIt}
      </Button>
    </Stack>
  );
}

interface SiteFrameProps {
  /** The message as it would be sent, with the field names of the console API. */
  content: Readonly<Record<string, unknown>>;
  settings: BrandShown;
  of: string;
  isDark: boolean;
}

const optionOf: Readonly<Record<string, string>> = {
  display_type: 'DisplayType',
  title: 'Title',
  message: 'Message',
  preview_text: 'PreviewText',
  footer_text: 'FooterText',
  cta_button_link: 'CTAButtonLink',
  cta_button_text: 'CTAButtonText',
  cta_button2_link: 'CTAButton2Link',
  cta_button2_text: 'CTAButton2Text',
  image_url: 'ImageUrl',
};

/**
 * Returns the address of an image. A path belongs to the site. The policy of the frame allows images over https, and
 * images of the library.
 */
function imageOn(origin: string, address: string): string {
  const own = withOwnPictures(address);
  if (own !== address) return own;
  const whole = URL.parse(address, origin === '' ? undefined : origin);
  return whole?.protocol === 'https:' ? whole.href : '';
}

/** A message on the operator's site. */
export function SiteFrame({ content, settings, of, isDark }: SiteFrameProps) {
  const { preview } = useWords(messages);
  const { code, settings: brand } = settings;
  const options = Object.entries(optionOf).map(([name, option]) => [
    option,
    withOwnPictures(String(content[name] ?? '')),
  ]);
  const image = imageOn(brand.site_origins[0] ?? '', String(content.image_url ?? ''));
  const events: Readonly<Record<string, string>> = { modal: 'message', banner: 'shoutout' };
  const message = {
    ...Object.fromEntries(options),
    ImageUrl: image,
    Event: events[of] ?? 'inbox',
    DisplayType: of === 'hint' ? 'push' : 'silent',
  };
  const scene: SiteScene = {
    brand: code,
    names: brand.site_script,
    config: { inbox: { enable: true, ...(brand.logo_url !== '' && { navBarLogo: brand.logo_url }) } },
    messages: [message],
    inbox: of === 'list' ? 'list' : of === 'opened' ? 'opened' : 'closed',
    isDark,
  };
  return <SceneFrame scene={scene} title={preview.title} />;
}
