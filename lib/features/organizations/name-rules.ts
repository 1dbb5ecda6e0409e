import { type FieldError, invalidRequest } from '../../kernel/errors/errors.ts'
import type { Services } from '../../services.ts'
import { listProductNames } from '../branding/find-branding.ts'
import { hasMixedScripts } from '../directory/names/scripts.ts'
import { containsName } from '../mail/user-text.ts'
import type { OrganizationAccess } from './access.ts'

/** What people see of an organization, and its owners choose. Missing if it stays. */
interface ChosenNames {
  readonly name?: string | undefined
  readonly slug?: string | undefined
  readonly sender_name?: string | undefined
}

/**
 * Returns what is wrong with new names. They are shown where people enter their passwords, so they follow the rules of usernames: no mixed
 * scripts, and nothing that looks like the product, which only the service may give to one.
 */
export const findNameErrors = async (
  services: Services,
  { isForService }: Pick<OrganizationAccess, 'isForService'>,
  names: ChosenNames,
): Promise<readonly FieldError[]> => {
  const given = (['name', 'slug', 'sender_name'] as const).flatMap((field) => {
    const value = names[field]
    return value === undefined ? [] : [{ field, value }]
  })
  if (given.length === 0) return []
  const { allowMixedScripts } = services.config
  const mixed = given.filter(({ value }) => !allowMixedScripts && hasMixedScripts(value))
  const likeProduct = isForService ? [] : await selectLikeProduct(services, given)
  return [
    ...mixed.map(({ field }) => ({ field, message: 'must not mix letters of different scripts' })),
    ...likeProduct.map(({ field }) => ({
      field,
      message: 'must not contain the name of the product, or what looks like it',
    })),
  ]
}

/** @throws AppError `invalid_request` for names that an organization must not have */
export const requireAllowedNames = async (
  services: Services,
  access: Pick<OrganizationAccess, 'isForService'>,
  names: ChosenNames,
): Promise<void> => {
  const errors = await findNameErrors(services, access, names)
  if (errors.length > 0) throw invalidRequest(errors)
}

const selectLikeProduct = async <Given extends { readonly value: string }>(
  services: Services,
  given: readonly Given[],
): Promise<readonly Given[]> => {
  // The table of characters is large, and most requests set no name.
  const { showLook } = await import('../directory/names/skeleton.ts')
  const products = (await listProductNames(services)).map(showLook)
  return given.filter(({ value }) => products.some((product) => containsName(showLook(value), product)))
}
