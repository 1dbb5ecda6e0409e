import type { ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import ajvFormats from 'ajv-formats'
import { openApi } from '../../lib/features/pages/open-api.prebuilt.ts'

const ajv = new Ajv2020({
  strict: false,
  allErrors: true,
  // Each schema checks a few values, so that faster checks would not make up for the time to optimize them.
  code: { optimize: false },
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

/** Compiled schemas of operations, by their text. */
const compiled = new Map<string, ValidateFunction>()

/** Validates a value with a schema whose references lead into the OpenAPI document. */
export const validateBySchema = (schema: object, value: unknown): readonly string[] => {
  const text = JSON.stringify(schema).replaceAll('"#/', '"openapi.json#/')
  const $id = `openapi.json-part-${compiled.size}`
  const validate = compiled.get(text) ?? ajv.compile({ $id, ...(JSON.parse(text) as object) })
  compiled.set(text, validate)
  if (validate(value)) return []
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}
