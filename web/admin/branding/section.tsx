import { SelectField } from '../../kit/field.tsx'
import { messagesOf } from '../../kit/messages.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { ShowLoaded } from '../kit/load-state.tsx'
import { toAddress } from '../kit/route.ts'
import type { SectionProps } from '../kit/section.ts'
import { SectionPage } from '../kit/section-page.tsx'
import { BrandingForm } from './branding-form.tsx'
import { readBranding } from './branding-values.ts'

const t = messagesOf('branding')

export const Section = ({ path: [name] }: SectionProps) => {
  const product = name ?? null
  const loaded = useLoaded((options) => readBranding(product, options))
  return (
    <SectionPage heading={t('heading')} intro={t('intro')}>
      <ShowLoaded loaded={loaded}>
        {({ products, branding }) => (
          <>
            {products.length > 0 && (
              <div class="toolbar">
                <SelectField
                  label={t('scope')}
                  value={product ?? ''}
                  options={[
                    { value: '', label: t('wholeService') },
                    ...products.map((known) => ({ value: known, label: known })),
                  ]}
                  onChangeValue={(chosen) => {
                    location.hash = toAddress('branding', chosen ? [chosen] : [])
                  }}
                />
              </div>
            )}
            {branding && (
              <BrandingForm key={JSON.stringify(branding)} branding={branding} onChange={loaded.reload} />
            )}
          </>
        )}
      </ShowLoaded>
    </SectionPage>
  )
}
