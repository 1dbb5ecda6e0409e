/*
 * What the console and most of its sections use. The build imports it everywhere in the console, so that all of it is one file.
 * As a file each, they would take longer on a slow network than their content does.
 */
import '../../lib/kernel/contract/page-data.ts'
import '../kit/confirmed-select.tsx'
import '../kit/dialog.tsx'
import '../kit/field.tsx'
import '../kit/form.tsx'
import '../kit/format.ts'
import '../kit/load-chunk.tsx'
import '../kit/typed-text.ts'
import './kit/confirm-dialog.tsx'
import './kit/current-user.ts'
import './kit/initials.tsx'
import './kit/data-list.tsx'
import './kit/filters.tsx'
import './kit/icon.tsx'
import './kit/leave-dialog.tsx'
import './kit/menu.tsx'
import './kit/panel.tsx'
import './kit/tabs.tsx'
import './kit/toast.tsx'
import './kit/use-list.ts'
