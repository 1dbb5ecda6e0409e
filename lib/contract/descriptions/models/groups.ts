import { MemberPreview, ServiceGroup, ServiceGroupDetail } from '../../models/groups.ts'
import {
  assignedId,
  ldapName,
  ldapServerId,
  ldapValue,
  nameRules,
  noAvatar,
  onlyStored,
  permissionForm,
  permissionRule,
  unixGroupId,
} from '../common-texts.ts'
import { describeModel } from '../describe.ts'
import { exampleIds, exampleUserMini } from '../example-values.ts'
import { exampleMember } from './user.ts'

/** The texts of fields that requests set. */
export const settableGroupTexts = {
  permissions: `The permissions that all members have. ${permissionForm} Changes take effect at once for all members. ${permissionRule} Default: empty.`,
  name: `The name of the group. ${nameRules} SAML providers choose groups by name.`,
  ldap_dn: ldapName,
  ldap_guid: `The ID of the group in an LDAP directory, or null. ${onlyStored} Default: null.`,
  unix_groupname: `The Unix name of the group, or null. ${onlyStored} Default: null.`,
  gid: unixGroupId,
}

const fields = {
  ...settableGroupTexts,
  id: `The ID of the group. ${assignedId}`,
  members_preview: 'The first 3 members in the order of their IDs, for lists in user interfaces.',
  effective_permissions: 'The same permissions, sorted and without duplicates.',
}

const exampleGroup = {
  id: exampleIds.group,
  name: 'editors',
  permissions: ['media:access'],
  effective_permissions: ['media:access'],
  members_preview: [{ id: exampleIds.user, avatar: null, email: exampleUserMini.email }],
  ldap: null,
  ldap_dn: null,
  ldap_guid: null,
  unix_groupname: null,
  gid: null,
}

export const groupsTexts = [
  describeModel(MemberPreview, {
    description: 'A member of a group, in short.',
    fields: {
      id: 'The ID of the user.',
      avatar: noAvatar,
      email: 'The email address of the user, or null. It may be unverified.',
    },
    example: { id: exampleIds.user, avatar: null, email: exampleUserMini.email },
  }),
  describeModel(ServiceGroup, {
    description: 'A group in a list. Users in a group have its permissions in addition to their own.',
    fields: {
      ...fields,
      ldap: ldapServerId,
      members: 'The IDs of the first 1,000 members, in ascending order.',
    },
    example: { ...exampleGroup, members: [exampleIds.user] },
  }),
  describeModel(ServiceGroupDetail, {
    description:
      'A group with its members. Users in a group have its permissions in addition to their own. A group can have more members than the 1,000 that are shown.',
    fields: {
      ...fields,
      ldap: ldapValue,
      members:
        'The first 1,000 members in the order of their IDs. List users with the filter `groups` to get all of them.',
    },
    example: { ...exampleGroup, members: [exampleMember] },
  }),
]
