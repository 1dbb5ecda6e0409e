import { AppError } from '../../core/errors.ts'
import type { SamlFlow } from '../../store/records/saml-flow-record.ts'

/** Where a browser begins a sign-in as it was begun before. */
export const buildStartPath = (
  providerId: number,
  { returnTo, forceAuthn, link }: Pick<SamlFlow, 'returnTo' | 'forceAuthn' | 'link'>,
): string => {
  const query = new URLSearchParams({
    ...(returnTo === null ? {} : { return_to: returnTo }),
    ...(forceAuthn ? { force_authn: 'true' } : {}),
    ...(link ? { link: 'true' } : {}),
  }).toString()
  return `/api/2/auth/saml/${providerId}/sso${query === '' ? '' : `?${query}`}`
}

/** A refusal with the place where a browser can try again; what is none stays as it is. */
export const addRetryPath = (error: unknown, path: string | null): unknown =>
  error instanceof AppError ? new AppError(error.code, { ...error.details, tryAgain: path }) : error
