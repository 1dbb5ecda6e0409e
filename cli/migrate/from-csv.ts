import { isField, type MapColumns } from '../../lib/features/user-files/csv.ts'
import { CommandFailure } from '../../local/command-failure.ts'
import { openInput } from '../input.ts'
import { readCsvFile } from '../users/read-file.ts'
import { createFileSource, readEmail, type Source } from './source.ts'

export interface CsvOptions {
  /** The field of each column whose name is not the name of the field. */
  readonly columns: ReadonlyMap<string, string>
  /** Whether addresses count as verified if the file does not say it. */
  readonly trustsEmails: boolean
}

/** @throws CommandFailure if the file cannot be read */
export const openCsv = (file: string, { columns, trustsEmails }: CsvOptions): Promise<Source> =>
  createFileSource(
    () => openInput(file, 'csv'),
    async function* (chunks) {
      for await (const { line, fields, errors, left } of readCsvFile(chunks, mapColumns(columns))) {
        const { external_id: id, ...others } = fields ?? {}
        const email = others['email']
        const isVerified = others['email_verified'] ?? trustsEmails
        yield {
          line,
          errors,
          left: left ?? [],
          id: typeof id === 'string' ? id : undefined,
          fields: fields && {
            ...others,
            ...(typeof email === 'string'
              ? { ...readEmail(email, { isVerified: trustsEmails }), email_verified: isVerified }
              : {}),
          },
        }
      }
    },
  )

/** A column has the field with its name, apart from permissions: rights elsewhere must be named to be rights here. */
const mapColumns =
  (given: ReadonlyMap<string, string>): MapColumns =>
  (columns) => {
    const missing = [...given.keys()].find((column) => !columns.includes(column))
    if (missing !== undefined)
      throw new CommandFailure(`The first line has no column ${JSON.stringify(missing)}. Correct --map.`)
    const fields = columns.map(
      (column) => given.get(column) ?? (isField(column) && column !== 'permissions' ? column : undefined),
    )
    if (!fields.includes('username'))
      throw new CommandFailure('No column has the username. Name it with --map COLUMN=username.')
    return fields
  }

/** Reads `Login=username,Mail=email`. @throws CommandFailure */
export const readColumnMap = (text: string | undefined): ReadonlyMap<string, string> => {
  const pairs = (text ?? '').split(',').filter((pair) => pair !== '')
  return new Map(
    pairs.map((pair) => {
      const at = pair.lastIndexOf('=')
      const [column, field] = [pair.slice(0, at).trim(), pair.slice(at + 1).trim()]
      if (at < 1 || !isField(field))
        throw new CommandFailure(
          `--map needs COLUMN=FIELD, and ${JSON.stringify(field.slice(0, 40))} is no field. See docs/migrate/csv.md.`,
        )
      return [column, field] as const
    }),
  )
}
