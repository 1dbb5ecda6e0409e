import { listMethods } from '../../kernel/contract/operation.ts'
import { operations } from '../operations.ts'

/** The path of each operation with its methods. The function starts without the declarations and their schemas. */
export const routes = operations.map((operation) => ({
  path: operation.path,
  methods: listMethods(operation),
}))
