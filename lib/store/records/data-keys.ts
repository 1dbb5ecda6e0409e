import { createCodec } from '../engine/codec.ts'
import { isAbsent } from '../engine/expressions.ts'
import { dataKeyKey } from '../engine/keys.ts'
import { findRecord } from '../engine/read-records.ts'
import type { Table } from '../engine/table.ts'
import { wasCommitted } from '../engine/transaction-errors.ts'

/** The cipher of a key that encrypts many values of one purpose, if there is one of this name. */
export const findDataKey = async (
  table: Table,
  purpose: string,
  name: string,
): Promise<string | undefined> => {
  const dataKey = await findRecord(table, dataKeyCodec, dataKeyKey(purpose, name))
  return dataKey?.cipher
}

const dataKeyCodec = createCodec<{ readonly cipher: string }>('data key', { cipher: 'string' })

/** Keeps a key under its name; false when somebody else's is there by now, which counts. */
export const addDataKey = (table: Table, purpose: string, name: string, cipher: string): Promise<boolean> =>
  wasCommitted(table.transact([{ put: { ...dataKeyKey(purpose, name), cipher }, condition: isAbsent }]))
