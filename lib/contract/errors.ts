import { changesState, type Operation } from './operation.ts'

/** Every error code that an operation may answer with: those of the steps in front of its use case and its own. */
export const declaredErrors = (operation: Operation): readonly string[] => [
  ...new Set([
    'invalid_request',
    ...(operation.ignoresAccept ? [] : ['not_acceptable']),
    ...(operation.method === 'GET' ? [] : ['payload_too_large', 'unsupported_media_type']),
    ...accessErrors(operation),
    ...(operation.errors ?? []),
    'internal_error',
  ]),
]

const accessErrors = ({ access, notWhileImpersonating, ...operation }: Operation): readonly string[] => {
  const changes = changesState({ access, ...operation })
  // A cookie from a foreign page is refused where an operation changes something.
  const isCookieRefused = changes && !(access.allow === 'anyone' && access.credential === 'ignored')
  if (access.allow === 'anyone') return isCookieRefused ? ['permission_denied'] : []
  const isRefused =
    access.allow === 'permission' ||
    notWhileImpersonating === true ||
    !access.by.includes('api_token') ||
    isCookieRefused
  return ['not_authenticated', ...(isRefused ? ['permission_denied'] : [])]
}
