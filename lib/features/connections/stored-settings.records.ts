import type * as z from 'zod/mini'
import type { Stored } from '../../kernel/util/object-fields.ts'
import type { connectionSettings } from './rules.models.ts'

/**
 * The fields that requests set, as they are stored. What a body can leave out has a value in a record, also in the names of
 * attributes.
 */
export type StoredSettings<Body extends { readonly attribute_mapping?: object | undefined }> = Stored<
  Required<Omit<Body, 'attribute_mapping'>> & {
    attribute_mapping: Required<Exclude<Body['attribute_mapping'], undefined>>
  }
>

/** Those that connections of every kind have. */
export type ConnectionSettings = StoredSettings<{
  -readonly [Name in keyof typeof connectionSettings]: z.output<(typeof connectionSettings)[Name]['schema']>
}>

/** What a connection decides about sign-ins and the answers of its identity provider. */
export type ConnectionRules = Pick<
  ConnectionSettings,
  | 'attribute_mapping'
  | 'organization_id'
  | 'default_organization_roles'
  | 'required_authn_contexts'
  | 'multi_factor_authn_contexts'
  | 'required_for_domains'
  | 'exempt_users'
>
