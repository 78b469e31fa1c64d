// Passkeys of the browser. The service sends and takes bytes as Base64url.

function bytes(text) {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
}

function text(buffer) {
  return btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

function keys(ids) {
  return (ids ?? []).map((id) => ({ type: 'public-key', id: bytes(id) }));
}

/** Makes a passkey. Null if the person or the browser refuses. */
export async function create(options) {
  try {
    const { response } = await navigator.credentials.create({
      publicKey: {
        challenge: bytes(options.challenge),
        timeout: options.timeout,
        rp: { id: options.rp_id, name: options.rp_name },
        user: { id: bytes(options.user_id), name: options.user_name, displayName: options.user_name },
        pubKeyCredParams: options.algorithms.map((alg) => ({ type: 'public-key', alg })),
        excludeCredentials: keys(options.exclude_credential_ids),
        authenticatorSelection: { residentKey: 'preferred', userVerification: options.user_verification },
      },
    });
    return { attestation_object: text(response.attestationObject), client_data_json: text(response.clientDataJSON) };
  } catch {
    return null;
  }
}

/** Signs a challenge with a passkey. Null if the person or the browser refuses. */
export async function sign(options) {
  try {
    const { rawId, response } = await navigator.credentials.get({
      publicKey: {
        challenge: bytes(options.challenge),
        timeout: options.timeout,
        rpId: options.rp_id,
        userVerification: options.user_verification,
        allowCredentials: keys(options.credential_ids),
      },
    });
    return {
      credential_id: text(rawId),
      client_data_json: text(response.clientDataJSON),
      authenticator_data: text(response.authenticatorData),
      signature: text(response.signature),
      ...(response.userHandle && { user_handle: text(response.userHandle) }),
    };
  } catch {
    return null;
  }
}
