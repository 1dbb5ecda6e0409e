import type { StoredSettings } from '../../kernel/contract/model.ts'
import { ConflictError } from '../../kernel/errors/errors.ts'
import { formerSlugMs, formerSlugsMax, slugChangesMax, slugChangesMs } from '../../kernel/limits/limits.ts'
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
import { isWithin, toSeconds } from '../../kernel/util/time.ts'
import { type BrandingSettings, buildOwnLogoSteps } from '../branding/records.ts'
import { buildCleanUpStep, buildEndingSteps } from './ending.records.ts'
import type { organizationFields } from './models.ts'
import { getSlugLook } from './text-rules.models.ts'

/*
 * The record of an organization is read with each of its tokens, so nothing in it grows. Members are items of users: see
 * `memberships.records.ts`. The marker of a slug is also the entry of the organization in the list by slug, with its name. That of a
 * former slug says until when it is reserved.
 */

export interface OrganizationRecord extends StoredSettings<typeof organizationFields> {
  readonly id: number
  /** Who created it. Null for a document or an import. */
  readonly createdBy: number | null
  /** Epoch milliseconds. */
  readonly createdAt: number
  /** When it will be deleted, in epoch milliseconds. Null or missing if no owner asked for it. See `ending.records.ts`. */
  readonly endsAt?: number | null
  /** The slugs that it had, and nobody else can have yet. A few, oldest first. Missing if it never had another one. */
  readonly formerSlugs?: readonly FormerSlug[]
  /** When its slug was changed last, in epoch milliseconds: as often as it can be changed at once. */
  readonly slugChanges?: readonly number[]
  /** What was set of its branding. Missing or null if nothing was. */
  readonly branding?: OrganizationBranding | null
  /** Whether own words of emails were ever set for it. Missing if not. */
  readonly hasEmailTexts?: boolean
  /** Increases with each edit. An edit of an older version is rejected. */
  readonly version: number
}

export interface FormerSlug {
  readonly slug: string
  /** Until when nobody else can have it, in epoch milliseconds. */
  readonly reservedUntil: number
}

/** How pages and emails about an organization look. Null is not set. */
export interface OrganizationBranding extends Pick<BrandingSettings, 'logo' | 'dark_logo' | 'accent_color'> {
  readonly name: string | null
  /** Missing in what was stored before there were senders. */
  readonly sender_name?: string | null
  readonly reply_to?: string | null
}

export type OrganizationFields = Omit<
  OrganizationRecord,
  'id' | 'createdBy' | 'createdAt' | 'version' | 'formerSlugs' | 'slugChanges'
>

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

interface SlugMarker {
  readonly id: number
  readonly slug: string
  /** Until when a former slug is reserved, in epoch milliseconds. Missing for the slug that the organization has. */
  readonly reservedUntil?: number
}

const slugCodec = createCodec<SlugMarker>('slug of an organization', { id: 'number', slug: 'string' })

const findSlugMarker = (table: Table, slug: string): Promise<SlugMarker | undefined> =>
  findRecord(table, slugCodec, organizationSlugKey(getSlugLook(slug)))

/** The ID of the organization that has or had a slug. Whether it still has it, its record says. */
export const findIdBySlug = async (table: Table, slug: string): Promise<number | undefined> => {
  const marker = await findSlugMarker(table, slug)
  return marker?.slug === slug ? marker.id : undefined
}

/** Whether no other organization can have a slug now. */
export const isSlugReserved = async (table: Table, slug: string, nowMs: number): Promise<boolean> => {
  const marker = await findSlugMarker(table, slug)
  return marker !== undefined && (marker.reservedUntil ?? Number.POSITIVE_INFINITY) > nowMs
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

/** Puts the marker of a slug, which may have been that of the same organization before, or of another one until its time is over. */
const buildSlugStep = (named: Named, nowMs: number): Step => ({
  put: {
    ...organizationSlugKey(getSlugLook(named.slug)),
    ...slugListing(named),
    id: named.id,
    slug: named.slug,
  },
  condition: (x) =>
    `${isAbsent(x)} OR ${x.path('id')} = ${x.value(named.id)} OR ${x.path('reservedUntil')} <= ${x.value(nowMs)}`,
  orElse: slugTaken,
})

/** Keeps the marker of a former slug for its time, without its entry in the list. */
const buildFormerSlugStep = ({ slug, reservedUntil }: FormerSlug): Step => ({
  update: organizationSlugKey(getSlugLook(slug)),
  changes: (x) => ({
    set: [
      `${x.path('reservedUntil')} = ${x.value(reservedUntil)}`,
      `${x.path('expires_at')} = ${x.value(toSeconds(reservedUntil))}`,
    ],
    remove: [x.path('lpk'), x.path('lsk')],
  }),
})

/** When a slug is changed. */
export interface SlugChange {
  readonly nowMs: number
  /** Whether the slug can be changed a few times in a month only. */
  readonly isLimited: boolean
}

/**
 * The slugs that an organization keeps when it gets another one. Without a limit, it could keep all of them from others.
 *
 * @throws ConflictError `too_many_slug_changes` or `too_many_former_slugs`
 */
const planSlugChange = (
  { slug: old, formerSlugs = [], slugChanges = [] }: OrganizationRecord,
  slug: string,
  { nowMs, isLimited }: SlugChange,
) => {
  const recent = slugChanges.filter((at) => isWithin(at, nowMs, slugChangesMs))
  if (isLimited && recent.length >= slugChangesMax)
    throw new ConflictError('too_many_slug_changes', 'the slug was changed too often')
  const isOther = (one: string) => getSlugLook(one) !== getSlugLook(slug)
  const former = { slug: old, reservedUntil: nowMs + formerSlugMs }
  const kept = [
    ...formerSlugs.filter((one) => isOther(one.slug) && one.reservedUntil > nowMs),
    ...(isOther(old) ? [former] : []),
  ]
  if (kept.length > formerSlugsMax)
    throw new ConflictError('too_many_former_slugs', 'the organization keeps too many former slugs')
  return {
    changes: { formerSlugs: kept, slugChanges: [...recent, nowMs].slice(-slugChangesMax) },
    steps: isOther(old) ? [buildFormerSlugStep(former)] : [],
  }
}

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
  nowMs: number = fields.createdAt,
): Promise<OrganizationRecord> => {
  const id = (await table.nextIds(counterKey('organization'))).first
  const record: OrganizationRecord = { ...fields, id, version: 1 }
  await table.transact([
    {
      put: { ...codec.encode(record), ...organizationKey(id), ...idListing('organization', id) },
      condition: isAbsent,
    },
    buildSlugStep(record, nowMs),
    ...buildExternalIdSteps(undefined, record),
    ...buildSteps(id),
  ])
  return record
}

/**
 * Changes an organization as it was read. Its former slug stays its own for a time.
 *
 * @throws EditConflict if it was changed or deleted since
 * @throws ConflictError `slug_taken`, `too_many_slug_changes`, `too_many_former_slugs` or `external_id_taken`
 */
export const editOrganization = async (
  table: Table,
  record: OrganizationRecord,
  changes: Partial<OrganizationFields>,
  extraSteps: readonly Step[],
  slugChange: SlugChange = { nowMs: 0, isLimited: true },
): Promise<OrganizationRecord> => {
  const hasOtherSlug = changes.slug !== undefined && changes.slug !== record.slug
  const slugs = hasOtherSlug ? planSlugChange(record, changes.slug, slugChange) : undefined
  const edited = { ...record, ...changes, ...slugs?.changes, version: record.version + 1 }
  const update: Update = (x) => ({
    set: Object.entries(
      codec.encodeChanges(record, { ...changes, ...slugs?.changes, version: edited.version }),
    ).map(([name, value]) => `${x.path(name)} = ${x.value(value)}`),
    condition: `${x.path('version')} = ${x.value(record.version)}`,
  })
  const isNamed = hasOtherSlug || edited.name !== record.name
  await table.transact([
    { update: organizationKey(record.id), changes: update, orElse: () => new EditConflict() },
    ...(isNamed ? [buildSlugStep(edited, slugChange.nowMs)] : []),
    ...(slugs?.steps ?? []),
    ...buildExternalIdSteps(record, edited),
    ...buildEndingSteps(record, edited),
    ...extraSteps,
  ])
  return edited
}

/** Deletes an organization. Its slug stays reserved for a time, and what belongs to it means nothing any more. `clean-up.job.ts` ends that. */
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
    buildFormerSlugStep({ slug: record.slug, reservedUntil: nowMs + formerSlugMs }),
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

/**
 * Lets others have a former slug, also that of an organization that was deleted. Returns the ID of the organization that had it, or
 * undefined if none keeps a former slug that looks like it.
 *
 * @throws EditConflict if the slug or its organization was changed since
 */
export const releaseSlug = async (
  table: Table,
  slug: string,
  buildSteps: (id: number) => readonly Step[],
): Promise<number | undefined> => {
  const look = getSlugLook(slug)
  const marker = await findSlugMarker(table, slug)
  const { id, reservedUntil } = marker ?? {}
  if (id === undefined || reservedUntil === undefined) return undefined
  const [organization] = await readOrganizations(table, [id])
  const { formerSlugs = [], version = 0 } = organization ?? {}
  const kept = formerSlugs.filter((one) => getSlugLook(one.slug) !== look)
  await table.transact([
    {
      delete: organizationSlugKey(look),
      condition: (x) =>
        `${x.path('id')} = ${x.value(id)} AND ${x.path('reservedUntil')} = ${x.value(reservedUntil)}`,
      orElse: () => new EditConflict(),
    },
    ...(organization
      ? [
          {
            update: organizationKey(id),
            changes: ((x) => ({
              set: [
                `${x.path('formerSlugs')} = ${x.value(kept)}`,
                `${x.path('version')} = ${x.value(version + 1)}`,
              ],
              condition: `${x.path('version')} = ${x.value(version)}`,
            })) satisfies Update,
            orElse: () => new EditConflict(),
          },
        ]
      : []),
    ...buildSteps(id),
  ])
  return id
}
