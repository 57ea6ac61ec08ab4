import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** A service on this machine that no page behind the proxy may reach, over any protocol. */
export interface Outside {
  udp: number;
  tcp: number;
  /** What came, by protocol. */
  reached: string[];
  close(): void;
}

/** Names that a page asks for without going there. */
export const NAMES = ['candidate.example', 'stun.example', 'prefetch.example'] as const;

/** Listens on a port of each protocol. */
export async function startOutside(): Promise<Outside> {
  const reached: string[] = [];
  const udp = createSocket('udp4', () => reached.push('udp')).bind(0, '127.0.0.1');
  const tcp = createServer((socket) => {
    reached.push('tcp');
    socket.destroy();
  }).listen(0, '127.0.0.1');
  await Promise.all([once(udp, 'listening'), once(tcp, 'listening')]);
  return {
    udp: udp.address().port,
    tcp: (tcp.address() as AddressInfo).port,
    reached,
    close() {
      udp.close();
      tcp.close();
    },
  };
}

/**
 * Part of a page that tries to reach it by all that is no request. Its address ends in `#tried`
 * when everything is under way.
 */
export const callingOut = ({ udp, tcp }: Pick<Outside, 'udp' | 'tcp'>): string => `
<link rel="dns-prefetch" href="//prefetch.example"><link rel="preconnect" href="http://127.0.0.1:${tcp}">
<script>
(async () => {
  const offer = async (settings) => {
    const call = new RTCPeerConnection(settings);
    call.createDataChannel('out');
    await call.setLocalDescription(await call.createOffer());
    return call;
  };
  const relay = (url) => ({ urls: url, username: 'user', credential: 'word' });
  await offer({ iceServers: [
    { urls: ['stun:127.0.0.1:${udp}', 'stun:stun.example:${udp}'] },
    relay('turn:127.0.0.1:${udp}?transport=udp'), relay('turn:127.0.0.1:${tcp}?transport=tcp'), relay('turns:127.0.0.1:${tcp}?transport=tcp'),
  ] });
  const [one, other] = [await offer({}), new RTCPeerConnection()];
  await other.setRemoteDescription(one.localDescription);
  await other.setLocalDescription(await other.createAnswer());
  await one.setRemoteDescription(other.localDescription);
  for (const candidate of [
    'candidate:1 1 udp 2113937151 127.0.0.1 ${udp} typ host',
    'candidate:2 1 tcp 1518280447 127.0.0.1 ${tcp} typ host tcptype passive',
    'candidate:3 1 udp 2113937151 candidate.example ${udp} typ host',
  ]) await one.addIceCandidate({ candidate, sdpMid: '0' });
  new WebTransport('https://127.0.0.1:${udp}/').ready.catch(() => {});
  location.hash = 'tried';
})();
</script>`;
