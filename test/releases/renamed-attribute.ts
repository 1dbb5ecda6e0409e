/*
 * A change of the stored form for tests: users have `displayName` from the next schema version on, and `full_name` before.
 */

/** The file that defines how users are stored. */
export const userRecordFile = 'lib/accounts/users/stored-user.records.ts'

/** Returns the text of the file for a release that reads the new form, and writes the earlier or the later one. */
export const renameAttribute =
  (writes: 'earlier' | 'later') =>
  (text: string): string =>
    text.replace(
      /^import \{ createCodec \} from '([^']*)'\n(.*)/ms,
      (_, path: string, rest: string) => `${importFrom(path, 'createCodec as createStoredCodec')}
${importFrom(path, 'type Attributes, type Shape, type SchemaHistory')}
${rest}

function createCodec<Row extends object>(
  kind: string,
  shape: Shape<Row>,
  history: SchemaHistory = { changes: [], writes: 1 },
) {
  const rename = (from: string, to: string) => (attributes: Attributes) => {
    const { [from]: value, ...others } = attributes
    return from in attributes ? { ...others, [to]: value } : attributes
  }
  const upgrade = rename('full_name', 'displayName')
  const downgrade = rename('displayName', 'full_name')
  const stored = createStoredCodec(kind, shape, {
    changes: [...history.changes, { upgrade, downgrade }],
    writes: history.changes.length + ${writes === 'later' ? 2 : 1},
  })
  // The code of this project still knows the record with its earlier name.
  const decode = (item) => downgrade(stored.decode(item))
  return {
    decode,
    decodeOptional: (item) => item && decode(item),
    encode: (record) => stored.encode(upgrade(record)),
    encodeChanges: (record, changes) => stored.encodeChanges(record, upgrade(changes)),
  }
}
`,
    )

const importFrom = (path: string, names: string): string => `import { ${names} } from ${JSON.stringify(path)}`
