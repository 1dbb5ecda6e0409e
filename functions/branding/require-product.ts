import { requireFound } from '../../lib/errors/require-found.ts'
import type { Config } from '../../lib/settings/config.ts'

/** Returns the name of a product that access links lead to. @throws AppError `not_found` for any other name */
export const requireProduct = ({ linkProducts }: Config, name: string): string =>
  requireFound(linkProducts.find((product) => product.name === name)).name
