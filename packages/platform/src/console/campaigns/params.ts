import { Type } from 'typebox';
import { BrandParams } from '../routing/fields.ts';

export const CampaignParams = Type.Object({ ...BrandParams.properties, code: Type.String({ minLength: 1 }) });
