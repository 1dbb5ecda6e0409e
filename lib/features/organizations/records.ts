import type { StoredFields } from '../../kernel/contract/projection.ts'
import { ConflictError } from '../../kernel/errors/errors.ts'
import { isAbsent, type Update } from '../../kernel/table/expressions.ts'
import { counterKey } from '../../kernel/table/keys/keys.ts'
import { carryText, idListing, nameListing } from '../../kernel/table/keys/listing-keys.ts'
import {
  organizationCountsKey,
  organizationExternalIdKey,
  organizationKey,
  organizationSlugKey,
} from '../../kernel/table/keys/organization-keys.ts'
import { readAll } from '../../kernel/table/listing.ts'
import { createCodec, findRecord, idMarkerCodec, readListedByIds } from '../../kernel/table/records.ts'
import type { Table } from '../../kernel/table/table.ts'
import { EditConflict, type Item, type Step } from '../../kernel/table/transaction.ts'
import { foldText } from '../../kernel/util/fold-text.ts'
import { type BrandingSettings, buildOwnLogoSteps } from '../branding/records.ts'
import { buildCleanUpStep, buildEndingSteps } from './ending.records.ts'
import type { storedOrganizationFields } from './models.ts'
import { getSlugLook } from './text-rules.models.ts'

/*
 * The record of an organization is read with each of its tokens, so nothing in it grows. Members are items of users: see
 * `memberships.records.ts`. The marker of a slug is also the entry of the organization in the list by slug, with its name.
 */

export interface OrganizationRecord extends StoredFields<typeof storedOrganizationFields> {
  /** Who created it. Null for a document or an import. */
  readonly createdBy: number | null
  /** Epoch milliseconds. */
  readonly createdAt: number
  /** When it will be deleted, in epoch milliseconds. Null or missing if no owner asked for it. See `ending.records.ts`. */
  readonly endsAt?: number | null
  /** What was set of its branding. Missing or null if nothing was. */
  readonly branding?: OrganizationBranding | null
  /** Increases with each edit. An edit of an older version is rejected. */
  readonly version: number
}

/** How pages and emails about an organization look. Null is not set. */
export interface OrganizationBranding extends Pick<BrandingSettings, 'logo' | 'dark_logo' | 'accent_color'> {
  readonly name: string | null
}

export type OrganizationFields = Omit<OrganizationRecord, 'id' | 'createdBy' | 'createdAt' | 'version'>

const codec = createCodec<OrganizationRecord>('organization', {
  id: 'number',
  name: 'string',
  slug: 'string',
  state: 'string',
  createdAt: 'number',
  version: 'number',
})

const organizationKind = { codec, keyOf: organizationKey }
export const decodeOrganization = codec.decodeOptional

/** The organizations of these IDs to show them, in their order. Missing ones are undefined. */
export const readOrganizations = (
  table: Table,
  ids: readonly number[],
): Promise<readonly (OrganizationRecord | undefined)[]> => readListedByIds(table, organizationKind, ids)

const slugCodec = createCodec<{ readonly id: number; readonly slug: string }>('slug of an organization', {
  id: 'number',
  slug: 'string',
})

/** The ID of the organization that has or had a slug. Whether it still has it, its record says. */
export const findIdBySlug = async (table: Table, slug: string): Promise<number | undefined> => {
  const marker = await findRecord(table, slugCodec, organizationSlugKey(getSlugLook(slug)))
  return marker?.slug === slug ? marker.id : undefined
}

export const findIdByExternalId = async (table: Table, externalId: string): Promise<number | undefined> =>
  (await findRecord(table, idMarkerCodec, organizationExternalIdKey(externalId)))?.id

/** How many members an organization has. */
export interface OrganizationCounts {
  readonly members: number
  readonly owners: number
  /** Increases with each change of the two. Missing before the first one. */
  readonly changes?: number | undefined
}

const toCounts = (item: Item | undefined): OrganizationCounts => ({
  members: Number(item?.['members'] ?? 0),
  owners: Number(item?.['owners'] ?? 0),
  ...(item?.['changes'] !== undefined && { changes: Number(item['changes']) }),
})

/** Builds the step that corrects the counts of an organization. It fails if somebody joined or left since they were read. */
export const buildCountRepairStep = (
  id: number,
  { changes }: OrganizationCounts,
  { members, owners }: Pick<OrganizationCounts, 'members' | 'owners'>,
): Step => ({
  update: organizationCountsKey(id),
  changes: (x) => ({
    set: [
      `${x.path('members')} = ${x.value(members)}`,
      `${x.path('owners')} = ${x.value(owners)}`,
      `${x.path('changes')} = ${x.value((changes ?? 0) + 1)}`,
    ],
    condition:
      changes === undefined
        ? `attribute_not_exists(${x.path('changes')})`
        : `${x.path('changes')} = ${x.value(changes)}`,
  }),
})

/** The counts of organizations, in the order of the IDs. */
export const readCounts = async (
  table: Table,
  ids: readonly number[],
): Promise<readonly OrganizationCounts[]> =>
  (await readAll(table, ids.map(organizationCountsKey))).map(toCounts)

/** Another organization has, or had, a slug that looks like this one. */
const slugTaken = () => new ConflictError('slug_taken', 'another organization has or had this slug')
const externalIdTaken = () => new ConflictError('external_id_taken', 'another organization has this ID')

type Named = Pick<OrganizationRecord, 'id' | 'name' | 'slug' | 'external_id'>

/** The entry of an organization in the list by slug, which a search by name reads alone. */
const slugListing = ({ id, slug, name }: Named) =>
  carryText(nameListing('organization', slug, id), foldText(name))

/** Puts the marker of a slug, which may have been that of the same organization before. */
const buildSlugStep = (named: Named): Step => ({
  put: {
    ...organizationSlugKey(getSlugLook(named.slug)),
    ...slugListing(named),
    id: named.id,
    slug: named.slug,
  },
  condition: (x) => `${isAbsent(x)} OR ${x.path('id')} = ${x.value(named.id)}`,
  orElse: slugTaken,
})

/** Keeps the marker of a former slug, without its entry in the list. */
const buildFormerSlugStep = (slug: string): Step => ({
  update: organizationSlugKey(getSlugLook(slug)),
  changes: (x) => ({ remove: [x.path('lpk'), x.path('lsk')] }),
})

const buildExternalIdSteps = (before: Named | undefined, after: Named | undefined): readonly Step[] => {
  const [old, fresh] = [before?.external_id ?? null, after?.external_id ?? null]
  if (old === fresh) return []
  return [
    ...(old === null ? [] : [{ delete: organizationExternalIdKey(old) }]),
    ...(fresh === null
      ? []
      : [
          {
            put: { ...organizationExternalIdKey(fresh), id: after?.id },
            condition: isAbsent,
            orElse: externalIdTaken,
          },
        ]),
  ]
}

/**
 * Creates an organization without members.
 *
 * @throws ConflictError `slug_taken` or `external_id_taken`
 */
export const createOrganization = async (
  table: Table,
  fields: Omit<OrganizationRecord, 'id' | 'version'>,
  buildSteps: (id: number) => readonly Step[],
): Promise<OrganizationRecord> => {
  const id = (await table.nextIds(counterKey('organization'))).first
  const record: OrganizationRecord = { ...fields, id, version: 1 }
  await table.transact([
    {
      put: { ...codec.encode(record), ...organizationKey(id), ...idListing('organization', id) },
      condition: isAbsent,
    },
    buildSlugStep(record),
    ...buildExternalIdSteps(undefined, record),
    ...buildSteps(id),
  ])
  return record
}

/**
 * Changes an organization as it was read. Its former slug stays its own.
 *
 * @throws EditConflict if it was changed or deleted since
 * @throws ConflictError `slug_taken` or `external_id_taken`
 */
export const editOrganization = async (
  table: Table,
  record: OrganizationRecord,
  changes: Partial<OrganizationFields>,
  extraSteps: readonly Step[],
): Promise<OrganizationRecord> => {
  const edited = { ...record, ...changes, version: record.version + 1 }
  const update: Update = (x) => ({
    set: Object.entries(codec.encodeChanges(record, { ...changes, version: edited.version })).map(
      ([name, value]) => `${x.path(name)} = ${x.value(value)}`,
    ),
    condition: `${x.path('version')} = ${x.value(record.version)}`,
  })
  const isNamed = edited.slug !== record.slug || edited.name !== record.name
  const hasOtherLook = getSlugLook(edited.slug) !== getSlugLook(record.slug)
  await table.transact([
    { update: organizationKey(record.id), changes: update, orElse: () => new EditConflict() },
    ...(isNamed ? [buildSlugStep(edited)] : []),
    ...(hasOtherLook ? [buildFormerSlugStep(record.slug)] : []),
    ...buildExternalIdSteps(record, edited),
    ...buildEndingSteps(record, edited),
    ...extraSteps,
  ])
  return edited
}

/** Deletes an organization. Its slug stays reserved, and what belongs to it means nothing any more. `clean-up.job.ts` ends that. */
export const deleteOrganization = (
  table: Table,
  record: OrganizationRecord,
  nowMs: number,
  extraSteps: readonly Step[],
): Promise<void> =>
  table.transact([
    {
      delete: organizationKey(record.id),
      condition: (x) => `${x.path('version')} = ${x.value(record.version)}`,
      orElse: () => new EditConflict(),
    },
    buildCleanUpStep(record.id, nowMs),
    ...buildOwnLogoSteps(record.branding, null),
    buildFormerSlugStep(record.slug),
    ...buildExternalIdSteps(record, undefined),
    ...buildEndingSteps(record, undefined),
    ...extraSteps,
  ])

/** Builds the step that fails with `EditConflict` if an organization was changed or deleted since it was read. */
export const buildUnchangedOrganizationStep = ({ id, version }: OrganizationRecord): Step => ({
  check: organizationKey(id),
  condition: (x) => `${x.path('version')} = ${x.value(version)}`,
  orElse: () => new EditConflict(),
})
