import * as z from 'zod/mini';
import { actorOf } from '../../../common/http/caller.ts';
import { described } from '../../../common/http/described.ts';
import { fault } from '../../../common/http/error.ts';
import { type Route, route } from '../../../common/http/route.ts';
import { validate } from '../../../common/http/validate.ts';
import type { Origins } from '../origin.ts';
import { MAX_ORIGINAL } from '../original/original.ts';
import type { PolicyReader } from '../reading/reader.ts';
import { registerForm, type RegisterInput, registerInput } from '../schema.ts';
import { documentView, viewDocument } from '../view.ts';
import { management } from './access.ts';
import type { DocumentService } from './service.ts';

/**
 * Registration and original in one form, for people who pick a file in a browser.
 * @param read has it read into clauses; null: it waits for another program
 */
export function formRoute(
  service: DocumentService,
  origins: Origins,
  read: PolicyReader['ask'] | null,
): Route {
  const answer = z
    .extend(documentView, { created: z.boolean(), stored: z.boolean() })
    .register(described, { id: 'UploadedPolicyDocument' });
  return route({
    method: 'POST',
    path: '/api/core/kb/docs/upload',
    tag: 'Policy library',
    access: ['admin', 'session'],
    permission: 'policy.manage',
    body: registerForm,
    files: { file: { maxBytes: MAX_ORIGINAL, description: 'The original, with its file name' } },
    summary: 'Register a policy file and upload its original in one form',
    description:
      'As registering it with the name, media type, size and SHA-256 of `file`, then uploading that. The ' +
      'same form again is 200; where the original could not be stored, it may be sent again as it is. ' +
      'Text parts come without Content-Type, at most 64 of them with 64 KiB together. Headquarters reads ' +
      'it into clauses at once, unless `CORE_POLICY_READING` is off (`GET /api/core/kb/readings`).',
    replies: {
      201: { description: 'Registered or stored', schema: answer },
      200: { description: 'It was registered and stored', schema: answer },
    },
    errors: {
      403: 'tenant_not_allowed',
      409: 'source_key_taken',
      503: 'originals_unavailable',
    },
    handle: async (call) => {
      const tenant = origins.tenant(call.actor, call.body.tenant_code);
      const file = call.files?.file;
      if (!file) throw fault('file', 'required');
      const input = validate<RegisterInput>(registerInput, {
        ...call.body,
        file_name: file.fileName,
        content_type: file.contentType,
        size: file.size,
        sha256: file.sha256,
      });
      const actor = actorOf(call);
      const { document, created } = await service.register(input, { name: call.actor.name, text: actor });
      const { document: uploaded, stored } = await service.upload(
        document.id,
        management(tenant),
        () => file.read(),
        actor,
      );
      if (created || stored) await read?.({ tenantCode: tenant, docId: document.id, actor });
      return {
        status: created || stored ? 201 : 200,
        body: { ...viewDocument(uploaded), created, stored },
      };
    },
  });
}
