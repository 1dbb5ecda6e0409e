import { dataKeyKey } from '../../kernel/table/keys/keys.ts'
import { createCodec, findRecord } from '../../kernel/table/records.ts'
import type { Table } from '../../kernel/table/table.ts'
import { wasCommitted } from '../../kernel/table/transaction.ts'

const dataKeyCodec = createCodec<{ readonly cipher: string }>('data key', { cipher: 'string' })

/** The encrypted key with a name. The key encrypts many values of one purpose. */
export const findDataKey = async (
  table: Table,
  purpose: string,
  name: string,
): Promise<string | undefined> => {
  const dataKey = await findRecord(table, dataKeyCodec, dataKeyKey(purpose, name))
  return dataKey?.cipher
}

/** Stores an encrypted key. Returns false if there is one with this name already, which must be used instead. */
export const addDataKey = (table: Table, purpose: string, name: string, cipher: string): Promise<boolean> =>
  wasCommitted(table.reserve({ ...dataKeyKey(purpose, name), cipher }))
