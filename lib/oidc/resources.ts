import type { Config } from '../settings/config.ts'
import { getUserinfoAudience } from '../settings/jwt-audiences.ts'
import type { OidcClient } from '../store/oidc/clients.ts'

/** The library only accepts URIs, so other audiences of clients are written as URIs in requests. */
export const toResource = (audience: string): string =>
  URL.canParse(audience) ? audience : `urn:latchkey:audience:${encodeURIComponent(audience)}`

/** The audiences that a client may ask for, by the `resource` that names each. */
export const listResources = (
  { publicUrl }: Pick<Config, 'publicUrl'>,
  client: Pick<OidcClient, 'audiences'>,
): ReadonlyMap<string, string> => {
  const audiences = [getUserinfoAudience(publicUrl), ...client.audiences]
  return new Map(audiences.map((audience) => [toResource(audience), audience]))
}
