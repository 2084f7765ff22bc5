import { messages } from '../../../text/messages.ts';
import { useWords } from '../../../text/text.tsx';
import { withOwnPictures } from '../media/queries.ts';

interface PushFrameProps {
  title: string;
  body: string;
  image: string;
  sender: string;
  /** True for the lock screen of a phone, false for the corner of a desktop. */
  isPhone: boolean;
  isDark: boolean;
}

/**
 * A push notification as operating systems show it. Each system truncates long texts at another length. The limits used
 * here are close to those of Android.
 */
export function PushFrame({ title, body, image, sender, isPhone, isDark }: PushFrameProps) {
  const { preview } = useWords(messages);
  const picture = withOwnPictures(image);
  return (
    <div className={`device push-ground ${isPhone ? 'device-phone' : 'device-desktop'} ${isDark ? 'device-dark' : ''}`}>
      {isPhone && (
        <div className="push-clock" aria-hidden>
          21:41
        </div>
      )}
      <div className="push-card">
        <div className="push-head">
          <span className="push-icon" aria-hidden />
          <span>{sender}</span>
          <span>{preview.now}</span>
        </div>
        <div className="push-row">
          <div className="push-words">
            <div className="push-title" dir="auto">
              {title}
            </div>
            <div className="push-body" dir="auto">
              {body}
            </div>
          </div>
          {/^(https:|\/)/.test(picture) && <img className="push-image" src={picture} alt="" />}
        </div>
      </div>
    </div>
  );
}
