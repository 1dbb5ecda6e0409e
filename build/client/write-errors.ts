import type { ClientOperation } from './client-operations.ts'

/** Writes the error codes with their reasons, for all operations together and for each one. */
export const writeErrors = (operations: readonly ClientOperation[]): string => {
  const reasonsByCode = new Map<string, ReadonlySet<string>>()
  for (const { errors } of operations)
    for (const [code, reasons] of errors)
      reasonsByCode.set(code, new Set([...(reasonsByCode.get(code) ?? []), ...reasons]))
  const codes = [...reasonsByCode].map(
    ([code, reasons]) => `  readonly ${code}: ${writeUnion([...reasons])}\n`,
  )
  const each = operations.map(
    ({ id, errors }) =>
      `  readonly ${id}: { ${[...errors].map(([code, reasons]) => `readonly ${code}: ${writeUnion(reasons)}`).join('; ')} }\n`,
  )
  return [
    `/** Every error code with the reasons that refine it. */\nexport interface ReasonsByCode {\n${codes.join('')}}\n`,
    '/** A code of a problem body. */\nexport type ErrorCode = keyof ReasonsByCode\n',
    `/** The error codes of each operation, with the reasons that the operation can give. */\nexport interface OperationErrors {\n${each.join('')}}\n`,
  ].join('\n')
}

const writeUnion = (values: readonly string[]): string =>
  values.length === 0 ? 'never' : values.map((value) => `'${value}'`).join(' | ')
