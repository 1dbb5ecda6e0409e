import { DatabaseSync } from 'node:sqlite'

const usersPerTransaction = 20_000

export interface CopyRequest {
  /** The first position. A seeded user at the position before it is the source. */
  readonly from: number
  /** The position after the last one. */
  readonly to: number
  /** The ID of a seeded user at position 0. */
  readonly firstId: number
}

/**
 * Adds copies of a seeded user to the file of the embedded engine while it runs, with their usernames and index entries.
 * Writing a million users through the engine takes ten minutes and more.
 */
export const copyUsers = (file: string, table: string, { from, to, firstId }: CopyRequest): void => {
  const database = new DatabaseSync(file)
  database.exec('PRAGMA busy_timeout = 30000; PRAGMA synchronous = OFF')
  const source = from - 1
  /** SQL that replaces ID, username, and number in a column. */
  const copied = (column: string): string =>
    [
      [String(firstId + source), `${firstId} + n`],
      [`seeded-${String(source).padStart(7, '0')}`, `printf('seeded-%07d', n)`],
      [`erson.${source}@`, `'erson.' || n || '@'`],
      [`erson ${source} of`, `'erson ' || n || ' of'`],
    ].reduce((sql, [text, value]) => `replace(${sql}, '${text}', ${value})`, column)
  const numbers = 'WITH RECURSIVE numbers(n) AS (SELECT ? UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)'
  const user = `S:user#${firstId + source}`
  const username = `S:username#seeded-${String(source).padStart(7, '0')}`
  const inserts = [
    { name: table, column: 'pk', keys: [user, username] },
    { name: `${table}::gsi::listing`, column: 'table_pk', keys: [user, username] },
  ].flatMap(({ name, column, keys }) => {
    const columns = database
      .prepare(`SELECT name FROM pragma_table_info('${name}')`)
      .all()
      .map((row) => String(row['name']))
    const values = columns.map((one) => (/pk|sk|json/.test(one) ? copied(one) : one))
    return keys.map((key) => ({
      key,
      statement: database.prepare(
        `${numbers} INSERT INTO "${name}" (${columns.join()}) SELECT ${values.join()} FROM "${name}", numbers WHERE ${column} = ?`,
      ),
    }))
  })
  for (let at = from; at < to; at += usersPerTransaction) {
    database.exec('BEGIN IMMEDIATE')
    for (const { statement, key } of inserts)
      statement.run(BigInt(at), BigInt(Math.min(at + usersPerTransaction, to) - 1), key)
    database.exec('COMMIT')
  }
  database.close()
}
