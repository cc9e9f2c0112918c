import { catalogue } from '../word/catalogue.ts';

export const words = catalogue({ figures: { zh: '数据表', en: 'Figures' } });
