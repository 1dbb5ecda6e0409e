import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { listRepeatedKeys } from '../../lib/errors/repeated-keys.ts'
import { getErrorMessage } from '../../lib/util/error-message.ts'

const extension = '.json'
const fileSchema = z.record(z.string(), z.unknown())

/** The names of the stages: files such as `prod.json`, without the extension. */
export const listStages = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(extension))
      .map((name) => name.slice(0, -extension.length))
      .sort()
  } catch {
    return []
  }
}

/** Reads the settings of a stage that `listStages` returned. Returns a sentence if the file is invalid. */
export const readStageFile = (folder: string, stage: string): Readonly<Record<string, unknown>> | string => {
  const content = readFileSync(join(folder, stage + extension), 'utf8')
  try {
    const parsed = fileSchema.safeParse(JSON.parse(content))
    if (!parsed.success) return `config/${stage}.json must be a JSON object with settings.`
    const repeated = listRepeatedKeys(content)
    if (repeated.length > 0) return `config/${stage}.json repeats ${repeated.join(', ')}.`
    return parsed.data
  } catch (error) {
    return `config/${stage}.json is not valid JSON: ${getErrorMessage(error)}.`
  }
}
