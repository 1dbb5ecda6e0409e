import type { Services } from '../services.ts'
import { takePushedRequest } from '../store/oidc/pushed-requests.ts'

/** What the addresses of pushed requests begin with (RFC 9126 2.2). */
const prefix = 'urn:ietf:params:oauth:request_uri:'

/** Whether an authorization names parameters that its client sent before. */
export const isPushed = ({ request_uri: uri = '' }: Readonly<Record<string, string>>): boolean =>
  uri.startsWith(prefix)

/**
 * The parameters that an authorization stands for (RFC 9126 4). They work once, for the client that sent them, and no other
 * parameter of the browser counts. Undefined if they were used, have expired or never existed.
 */
export const takePushedParameters = async (
  { table, now }: Pick<Services, 'table' | 'now'>,
  { request_uri: uri = '', client_id: clientId }: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, string>> | undefined> => {
  const found = await takePushedRequest(table, uri.slice(prefix.length), now())
  return found?.clientId === clientId ? found?.parameters : undefined
}
