import { createHttpClient as ofHeadquarters } from '../../hq/http-client.ts';
import { createHttpClient as ofSite } from '../../site/http-client.ts';
import { httpClientContract } from './http-client.ts';

httpClientContract('node:http, at a site', ofSite);
httpClientContract('undici, at headquarters', ofHeadquarters);
