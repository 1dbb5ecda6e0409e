import inject from 'light-my-request'
import type { Provider } from 'oidc-provider'
import { omitUndefined } from '../../../kernel/util/object-fields.ts'
import type { Services } from '../../../services.ts'
import { buildProvider } from './build-provider.ts'
import { getProviderKeys } from './provider-keys.ts'
import { type ProviderRun, startRun } from './run.ts'

/** A request for the library, made of parts that were validated. */
export interface ProviderRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly form?: Readonly<Record<string, string>>
  readonly authorizationHeader?: string | undefined
  readonly dpopHeader?: string | undefined
  /** Cookies by the names that the library knows them by. */
  readonly cookies?: Readonly<Record<string, string>>
}

export interface ProviderResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

interface BuiltProvider {
  readonly version: string
  readonly provider: Provider
}

const built = new WeakMap<Services, BuiltProvider>()

/** The provider with the present keys. It is built again when they change. */
const getProvider = async (services: Services): Promise<Provider> => {
  const keys = await getProviderKeys(services)
  const known = built.get(services)
  if (known?.version === keys.version) return known.provider
  const provider = buildProvider(services.config, keys)
  built.set(services, { version: keys.version, provider })
  return provider
}

/**
 * Has the library handle a request. No header of the browser reaches it, so that its cookies and its CORS rules have no
 * effect.
 *
 * @throws any error of this service's own code, which the library would hide
 */
export const runProvider = async (run: ProviderRun, request: ProviderRequest): Promise<ProviderResponse> => {
  const provider = await getProvider(run.services)
  // It starts with the first callback, so that has to be set in the context of the run.
  const response = await startRun(
    run,
    async () => await inject(provider.callback(), toInjection(run, request)),
  )
  if (run.failure !== undefined) throw run.failure
  return {
    status: response.statusCode,
    headers: Object.fromEntries(
      Object.entries(response.headers).flatMap(([name, value]) =>
        typeof value === 'string' ? [[name, value]] : [],
      ),
    ),
    body: response.payload,
  }
}

const toInjection = (
  { services }: ProviderRun,
  { method, path, query, form, authorizationHeader, dpopHeader, cookies = {} }: ProviderRequest,
) => {
  const { host, protocol } = new URL(services.config.publicUrl)
  const cookie = Object.entries(cookies).map(([name, value]) => `${name}=${value}`)
  return {
    method,
    url: query ? `${path}?${new URLSearchParams(query)}` : path,
    headers: {
      host,
      'x-forwarded-proto': protocol.slice(0, -1),
      // Errors are bodies for programs, or are passed on by `renderError`.
      accept: 'application/json',
      ...(cookie.length > 0 ? { cookie: cookie.join('; ') } : {}),
      ...omitUndefined({ authorization: authorizationHeader }),
      ...omitUndefined({ dpop: dpopHeader }),
      ...(form ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
    },
    ...(form ? { payload: String(new URLSearchParams(form)) } : {}),
  }
}
