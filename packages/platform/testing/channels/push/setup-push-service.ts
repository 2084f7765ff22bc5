import { createDecipheriv, createECDH, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PushPayload } from '@croupier/contracts';
import { decodeProtectedHeader, importJWK, jwtVerify } from 'jose';
import type { PostedDevice } from '../../../src/channels/push/index.ts';

/*
 * A test push service with its devices. It decrypts a push as a browser does (RFC 8291, RFC 8188), implemented from the
 * standards and not with the library that encrypts. It accepts only pushes with a valid VAPID signature (RFC 8292).
 */
export interface TakenPush {
  path: string;
  headers: IncomingMessage['headers'];
  payload: PushPayload;
  vapid: { key: string; sub: unknown; aud: unknown; lives_s: number };
}

export interface PushService {
  origin: string;
  /** Pushes that were verified and decrypted, in order, whatever was answered. */
  taken: TakenPush[];
  /** Why a push was refused. */
  refused: string[];
  /** A new device, as its browser would post it. */
  device(name?: string): PostedDevice;
  /**
   * The answers to the next pushes of a message, one for each push, then 201 again. An answer that does nothing leaves the caller waiting.
   */
  answers: Map<number, ((response: ServerResponse) => void)[]>;
  stop(): Promise<void>;
}

export const answer =
  (status: number, headers: Record<string, string> = {}, body = '') =>
  (response: ServerResponse): void => {
    response.writeHead(status, headers).end(body);
  };

/** @param answerTo answers each push that was verified and decrypted. Default: with `answers` */
export async function startPushService({
  answerTo,
}: {
  answerTo?: (push: TakenPush, response: ServerResponse) => void;
} = {}): Promise<PushService> {
  const devices = new Map<string, { ecdh: ReturnType<typeof createECDH>; auth: Buffer }>();
  const service: Pick<PushService, 'taken' | 'refused' | 'answers'> = { taken: [], refused: [], answers: new Map() };
  const server = createServer((request, response) => {
    take(request).then(
      (taken) => {
        service.taken.push(taken);
        if (answerTo !== undefined) answerTo(taken, response);
        else (service.answers.get(taken.payload.id)?.shift() ?? answer(201))(response);
      },
      (error: Error) => {
        // A sender that is killed in the middle of a push sent none.
        if (!request.complete) return;
        service.refused.push(error.message);
        response.writeHead(400).end(error.message);
      },
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function take(request: IncomingMessage): Promise<TakenPush> {
    const body = Buffer.concat(await request.toArray());
    const path = request.url ?? '';
    const device = devices.get(path);
    if (request.method !== 'POST' || device === undefined) throw new Error(`no device at ${request.method} ${path}`);
    if (request.headers['content-encoding'] !== 'aes128gcm') throw new Error('not aes128gcm');
    if (!/^\d+$/.test(request.headers.ttl as string)) throw new Error('no TTL');
    const vapid = await verifyVapid(request.headers.authorization ?? '', origin);
    return { path, headers: request.headers, payload: JSON.parse(decrypt(body, device).toString('utf8')), vapid };
  }

  return {
    ...service,
    origin,
    device(name = randomBytes(6).toString('hex')) {
      const ecdh = createECDH('prime256v1');
      ecdh.generateKeys();
      const auth = randomBytes(16);
      devices.set(`/push/${name}`, { ecdh, auth });
      const keys = { p256dh: ecdh.getPublicKey('base64url'), auth: auth.toString('base64url') };
      return { endpoint: `${origin}/push/${name}`, keys };
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function verifyVapid(authorization: string, origin: string): Promise<TakenPush['vapid']> {
  const [, token, key] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(authorization) ?? [];
  if (token === undefined || key === undefined) throw new Error('no vapid credentials');
  const point = Buffer.from(key, 'base64url');
  const [x, y] = [point.subarray(1, 33).toString('base64url'), point.subarray(33).toString('base64url')];
  if (decodeProtectedHeader(token).alg !== 'ES256') throw new Error('not ES256');
  const { payload } = await jwtVerify(token, await importJWK({ kty: 'EC', crv: 'P-256', x, y }, 'ES256'), {
    audience: origin,
  });
  return { key, sub: payload.sub, aud: payload.aud, lives_s: (payload.exp ?? 0) - Math.floor(Date.now() / 1_000) };
}

/** One record of aes128gcm: salt 16 | record size 4 | key id length 1 | the sender's public key | ciphertext with its tag. */
function decrypt(body: Buffer, { ecdh, auth }: { ecdh: ReturnType<typeof createECDH>; auth: Buffer }): Buffer {
  const salt = body.subarray(0, 16);
  const keyEnd = 21 + (body[20] ?? 0);
  const senderKey = body.subarray(21, keyEnd);
  if (body.length > 4_096 || body.length > body.readUInt32BE(16)) throw new Error('more than one record');
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), ecdh.getPublicKey(), senderKey]);
  const prk = createHmac('sha256', auth).update(ecdh.computeSecret(senderKey)).digest();
  const ikm = createHmac('sha256', prk)
    .update(Buffer.concat([info, Buffer.of(1)]))
    .digest();
  const cek = Buffer.from(hkdfSync('sha256', ikm, salt, 'Content-Encoding: aes128gcm\0', 16));
  const nonce = Buffer.from(hkdfSync('sha256', ikm, salt, 'Content-Encoding: nonce\0', 12));
  const decipher = createDecipheriv('aes-128-gcm', cek, nonce).setAuthTag(body.subarray(-16));
  const padded = Buffer.concat([decipher.update(body.subarray(keyEnd, -16)), decipher.final()]);
  // The plaintext of the last record ends with the byte 2, followed by any number of zeros.
  return padded.subarray(0, padded.lastIndexOf(2));
}
