import { Ajv2020 } from 'ajv/dist/2020.js'
import ajvFormats from 'ajv-formats'
import { openApi } from '../../functions/pages/open-api.prebuilt.ts'

const ajv = new Ajv2020({
  strict: false,
  allErrors: true,
  formats: { int32: true, int64: true, password: true },
})
ajvFormats.default(ajv)
ajv.addSchema({ $id: 'openapi.json', ...openApi })

/** Validates a value with the schema at a pointer into the OpenAPI document. Returns what is wrong with it. */
export const validateAt = (pointer: string, value: unknown): readonly string[] => {
  const validate =
    ajv.getSchema(`openapi.json${pointer}`) ?? ajv.compile({ $ref: `openapi.json${encodeURI(pointer)}` })
  if (validate(value)) return []
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}

/** Validates a value with a schema whose references lead into the OpenAPI document. */
export const validateBySchema = (schema: object, value: unknown): readonly string[] => {
  const validate = ajv.compile({
    $id: 'openapi.json-part',
    ...(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi.json#/')) as object),
  })
  ajv.removeSchema('openapi.json-part')
  if (validate(value)) return []
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}
