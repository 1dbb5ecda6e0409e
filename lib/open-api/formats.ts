import type { JsonSchema } from './json-schema.ts'

/** The formats of texts by the names of their fields. The models check them with rules of their own, or none. */
const formats = new Map<string, string>(
  Object.entries({
    aaguid: 'uuid',
    assertion_url: 'uri',
    current_password: 'password',
    email: 'email',
    full_url: 'uri',
    login_url: 'uri',
    metadata_url: 'uri',
    new_password: 'password',
    password: 'password',
    pending_email: 'email',
    slo_url: 'uri',
    sp_certificate_key: 'password',
    sso_url: 'uri',
    sync_id: 'uuid',
  }),
)

/** Adds the format of a field, which tools show and check. */
export const addFormat = (field: string, schema: JsonSchema): JsonSchema => {
  const format = formats.get(field)
  const isText = [schema['type']].flat().includes('string')
  return isText && format !== undefined && schema['format'] === undefined ? { ...schema, format } : schema
}
