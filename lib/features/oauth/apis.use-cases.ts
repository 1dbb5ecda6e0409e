import { changeSteps, describeNew } from '../../accounts/events/change-event.ts'
import { thingSteps } from '../../accounts/events/write-event.ts'
import { normalizeUsername, validateNameField } from '../../accounts/names/names.ts'
import { buildNameMatcher } from '../../accounts/users/search-users.records.ts'
import { diffFields } from '../../accounts/users/user-changes.ts'
import { readPageRequest, toListReply } from '../../http/paging.ts'
import type { UseCase } from '../../http/use-case.ts'
import { toBody } from '../../kernel/contract/projection.ts'
import { type FieldError, invalidRequest, requireFound } from '../../kernel/errors/errors.ts'
import { protectedApisMax } from '../../kernel/limits/limits.ts'
import type { Config } from '../../kernel/settings/config.ts'
import { findAudienceError, isOwnAudience } from '../../kernel/settings/jwt-audiences.ts'
import { mapRows } from '../../kernel/table/listing.ts'
import { readNamePage } from '../../kernel/table/search-names.ts'
import { omitUndefined } from '../../kernel/util/object-fields.ts'
import { formatTime } from '../../kernel/util/time.ts'
import { openidScopes } from './clients.models.ts'
import {
  newProtectedApi,
  type ProtectedAPI,
  ProtectedAPIPartialUpdate,
  type ProtectedAPIUpdate,
  protectedApiFields,
} from './protected-apis.models.ts'
import type { protectedApis } from './protected-apis.operations.ts'
import {
  createProtectedApi as createStored,
  deleteProtectedApi as deleteStored,
  editProtectedApi,
  findProtectedApi,
  type ProtectedApi,
  protectedApiKind,
} from './protected-apis.records.ts'

/** What administrators can set. */
type ApiFields = Omit<ProtectedApi, 'id' | 'version' | 'createdBy' | 'createdAt'>

/** Every holder has all permissions, so it must not be in a token for one API. */
const adminPermission = 'system:admin-access'

export const getAllProtectedApis: UseCase<typeof protectedApis.getAllProtectedApis> = async (
  request,
  { table, config },
) => {
  const found = await readNamePage(table, protectedApiKind, buildNameMatcher(request.query), {
    order: request.query.ordering.field,
    page: readPageRequest(request),
  })
  const page = await mapRows(found, async (apis) => apis.map(toApiBody))
  return { status: 200, ...toListReply(request, config, page) }
}

export const getProtectedApi: UseCase<typeof protectedApis.getProtectedApi> = async (
  { params },
  { table },
) => ({ status: 200, body: toApiBody(requireFound(await findProtectedApi(table, params.id), 'API')) })

/** Registers an API. */
export const createProtectedApi: UseCase<typeof protectedApis.createProtectedApi> = async (
  { body, context },
  { table, config, now },
) => {
  const fields = {
    ...newProtectedApi,
    ...readGiven(body),
    audience: body.audience,
    ...readName(body.name),
  }
  const errors = validateApi(config, fields)
  if (errors.length > 0) throw invalidRequest(errors)
  const api = await createStored(
    table,
    { ...fields, createdBy: context.actor, createdAt: now() },
    {
      limit: protectedApisMax,
      buildSteps: (id) =>
        thingSteps(
          context,
          'protected_api.created',
          id,
          describeNew({ fields: protectedApiFields, before: newProtectedApi, after: fields }),
        ),
    },
  )
  return { status: 201, headers: { location: `/api/2/protected-apis/${api.id}` }, body: toApiBody(api) }
}

/** Changes the fields that the body contains. */
export const patchProtectedApi: UseCase<typeof protectedApis.patchProtectedApi> = async (
  { params, body, context },
  { table, config },
) => {
  const api = requireFound(await findProtectedApi(table, params.id), 'API')
  const changes = diffFields<ProtectedApi>(api, readGiven(body))
  const errors = [
    ...(changes.audience === undefined ? [] : [{ field: 'audience', message: 'cannot be changed' }]),
    ...validateApi(config, { ...api, ...changes, audience: api.audience }),
  ]
  if (errors.length > 0) throw invalidRequest(errors)
  if (Object.keys(changes).length === 0) return { status: 200, body: toApiBody(api) }
  const change = { fields: protectedApiFields, before: api, after: changes }
  const steps = changeSteps(context, 'protected_api.changed', { of: api.id, change })
  const edited = await editProtectedApi(table, api, changes, steps)
  return { status: 200, body: toApiBody(edited) }
}

/** Deletes an API. */
export const deleteProtectedApi: UseCase<typeof protectedApis.deleteProtectedApi> = async (
  { params, context },
  { table },
) => {
  const api = requireFound(await findProtectedApi(table, params.id), 'API')
  await deleteStored(table, api, thingSteps(context, 'protected_api.deleted', api.id))
  return { status: 204 }
}

const readName = (name: string) => ({ name, normalizedName: normalizeUsername(name) })

/** The fields that a body contains, as they are stored. */
const readGiven = ({ name, permissions, scopes, ...given }: ProtectedAPIUpdate | ProtectedAPIPartialUpdate) =>
  omitUndefined({
    ...given,
    ...(name !== undefined && readName(name)),
    permissions: permissions?.map((permission) => ({
      ...permission,
      texts: omitUndefined(permission.texts),
    })),
    scopes: scopes?.map((scope) => ({
      name: scope.name,
      texts: omitUndefined(scope.texts),
      permissions: [...new Set(scope.permissions)].sort(),
    })),
  })

const toApiBody = (api: ProtectedApi): ProtectedAPI => ({
  ...toBody<Pick<ProtectedAPI, keyof ProtectedAPIPartialUpdate>>(ProtectedAPIPartialUpdate.def.shape, api),
  id: api.id,
  created_at: formatTime(api.createdAt),
})

/** Returns what is wrong with the fields of an API. */
const validateApi = (
  { publicUrl }: Pick<Config, 'publicUrl'>,
  { name, audience, permissions, scopes }: ApiFields,
): readonly FieldError[] => {
  const known = permissions.map((permission) => permission.name)
  const audienceError = isOwnAudience(publicUrl, audience)
    ? 'must not be this service'
    : findAudienceError(audience)
  return [
    ...validateNameField(name),
    ...(audienceError === undefined ? [] : [{ field: 'audience', message: audienceError }]),
    ...validateNames('permissions', known, (permission) =>
      permission === adminPermission ? `must not be ${adminPermission}` : undefined,
    ),
    ...validateNames(
      'scopes',
      scopes.map((scope) => scope.name),
      (scope) =>
        openidScopes.some((reserved) => reserved === scope)
          ? 'must not be a scope of OpenID Connect'
          : undefined,
    ),
    ...scopes.flatMap((scope, at) =>
      scope.permissions.flatMap((permission, index) =>
        known.includes(permission)
          ? []
          : [{ field: `scopes.${at}.permissions.${index}`, message: 'must be a permission of this API' }],
      ),
    ),
  ]
}

const validateNames = (
  list: string,
  names: readonly string[],
  findError: (name: string) => string | undefined,
): readonly FieldError[] =>
  names.flatMap((name, at) => {
    const message = names.indexOf(name) < at ? 'must not be repeated' : findError(name)
    return message === undefined ? [] : [{ field: `${list}.${at}.name`, message }]
  })
