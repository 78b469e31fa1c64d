package dev.latchkey.plugins.passkeys;

import com.webauthn4j.WebAuthnManager;
import com.webauthn4j.converter.AttestedCredentialDataConverter;
import com.webauthn4j.converter.util.ObjectConverter;
import com.webauthn4j.credential.CredentialRecord;
import com.webauthn4j.credential.CredentialRecordImpl;
import com.webauthn4j.data.AuthenticationData;
import com.webauthn4j.data.AuthenticationParameters;
import com.webauthn4j.data.AuthenticationRequest;
import com.webauthn4j.data.PublicKeyCredentialParameters;
import com.webauthn4j.data.PublicKeyCredentialType;
import com.webauthn4j.data.RegistrationData;
import com.webauthn4j.data.RegistrationParameters;
import com.webauthn4j.data.RegistrationRequest;
import com.webauthn4j.data.attestation.authenticator.AAGUID;
import com.webauthn4j.data.attestation.authenticator.AttestedCredentialData;
import com.webauthn4j.data.attestation.authenticator.AuthenticatorData;
import com.webauthn4j.data.attestation.authenticator.EC2COSEKey;
import com.webauthn4j.data.attestation.statement.COSEAlgorithmIdentifier;
import com.webauthn4j.data.attestation.statement.NoneAttestationStatement;
import com.webauthn4j.data.client.CollectedClientData;
import com.webauthn4j.data.client.Origin;
import com.webauthn4j.data.client.challenge.DefaultChallenge;
import com.webauthn4j.data.extension.authenticator.AuthenticationExtensionsAuthenticatorOutputs;
import com.webauthn4j.server.ServerProperty;
import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.plugins.passkeys.store.StoredPasskey;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Checks signatures of authenticators, by WebAuthn4J (WebAuthn level 2, sections 7.1 and 7.2). Accepts any attestation: the make
 * of the authenticator does not matter for a login. Immutable, and safe for use by any number of threads.
 */
final class PasskeyCheck {

    /** For authenticators, the first preferred: ES256, EdDSA, RS256. */
    static final List<COSEAlgorithmIdentifier> ALGORITHMS =
            List.of(COSEAlgorithmIdentifier.ES256, COSEAlgorithmIdentifier.EdDSA, COSEAlgorithmIdentifier.RS256);

    private static final Pattern OTHER_CHALLENGE =
            Pattern.compile("\"challenge\"(?!\\s{0,8}:\\s{0,8}\"[A-Za-z0-9_-]{1,1024}\")");

    /** Whether the authenticator must have verified its user, by a PIN or a fingerprint. */
    enum Verification {
        REQUIRED,
        PREFERRED
    }

    /** The content of a right assertion. */
    record Proof(long counter, boolean isUserVerified) {}

    /** The content of a right registration. */
    record Registered(String id, String key, long counter, boolean isUserVerified, boolean isBackupEligible) {}

    private final WebAuthnManager manager;
    private final AttestedCredentialDataConverter keys;
    private final String domain;
    private final Set<Origin> origins;
    private final AttestedCredentialData decoy = newDecoy();

    PasskeyCheck(RelyingParty service) {
        ObjectConverter objects = new ObjectConverter();
        this.manager = WebAuthnManager.createNonStrictWebAuthnManager(objects);
        this.keys = new AttestedCredentialDataConverter(objects);
        this.domain = service.id();
        this.origins = service.origins().stream().map(Origin::new).collect(Collectors.toUnmodifiableSet());
    }

    /** The challenge in the browser's data; empty if unreadable. */
    Optional<byte[]> challengeOf(Assertion assertion) {
        return unlessRefused(() -> challengeOf(requestOf(assertion).getCollectedClientData()));
    }

    /**
     * The content of the assertion, if all of the assertion is right.
     *
     * @param passkey null for an unknown credential: the work is the same, and the answer is empty
     */
    Optional<Proof> check(
            Assertion assertion, @Nullable StoredPasskey passkey, byte[] challenge, Verification verification) {
        CredentialRecord record = passkey == null ? recordOf(decoy, 0, null, null) : recordOf(passkey);
        Optional<Proof> proof = unlessRefused(() -> {
            AuthenticationData data = requestOf(assertion);
            manager.verify(
                    data,
                    new AuthenticationParameters(
                            server(challenge), record, null, verification == Verification.REQUIRED, true));
            AuthenticatorData<?> said = Objects.requireNonNull(data.getAuthenticatorData());
            return new Proof(said.getSignCount(), said.isFlagUV());
        });
        return passkey == null ? Optional.empty() : proof;
    }

    /**
     * The new credential, if all of its registration is right.
     *
     * @param challenge by {@link #challengeOf(byte[], byte[])}, which has refused escapes and other alphabets
     */
    Optional<Registered> register(byte[] attestationObject, byte[] clientData, byte[] challenge) {
        List<PublicKeyCredentialParameters> algorithms = ALGORITHMS.stream()
                .map(each -> new PublicKeyCredentialParameters(PublicKeyCredentialType.PUBLIC_KEY, each))
                .toList();
        return unlessRefused(() -> {
            RegistrationData data = manager.verify(
                    new RegistrationRequest(attestationObject, clientData),
                    new RegistrationParameters(server(challenge), algorithms, false, true));
            AuthenticatorData<?> said =
                    Objects.requireNonNull(data.getAttestationObject()).getAuthenticatorData();
            AttestedCredentialData credential = Objects.requireNonNull(said.getAttestedCredentialData());
            return new Registered(
                    Base64Url.encode(credential.getCredentialId()),
                    Base64Url.encode(keys.convert(credential)),
                    said.getSignCount(),
                    said.isFlagUV(),
                    said.isFlagBE());
        });
    }

    /** The challenge in the browser's data of a registration. */
    Optional<byte[]> challengeOf(byte[] attestationObject, byte[] clientData) {
        return unlessRefused(() -> {
            requirePlain(clientData);
            return challengeOf(manager.parse(new RegistrationRequest(attestationObject, clientData))
                    .getCollectedClientData());
        });
    }

    /** A page in a frame of another origin must not register a passkey either. */
    private static byte[] challengeOf(@Nullable CollectedClientData said) {
        if (Boolean.TRUE.equals(Objects.requireNonNull(said).getCrossOrigin())) {
            throw new IllegalArgumentException("The client data are of a frame of another origin");
        }
        return said.getChallenge().getValue();
    }

    private AuthenticationData requestOf(Assertion assertion) {
        requirePlain(assertion.clientData());
        return manager.parse(new AuthenticationRequest(
                assertion.credentialId(),
                assertion.userHandle(),
                assertion.authenticatorData(),
                assertion.clientData(),
                assertion.signature()));
    }

    /**
     * Refuses client data whose challenge is no Base64url, before the library decodes the challenge by the JDK's decoder; see {@link Base64Url}. Browsers escape
     * nothing in client data (WebAuthn section 5.8.1.1), since neither an origin nor Base64url needs an escape.
     */
    private static void requirePlain(byte[] clientData) {
        String json = new String(clientData, StandardCharsets.UTF_8);
        if (json.indexOf('\\') >= 0 || OTHER_CHALLENGE.matcher(json).find()) {
            throw new IllegalArgumentException("The challenge of the client data is no Base64url");
        }
    }

    private ServerProperty server(byte[] challenge) {
        return new ServerProperty(origins, domain, new DefaultChallenge(challenge));
    }

    private CredentialRecord recordOf(StoredPasskey passkey) {
        try {
            AttestedCredentialData credential =
                    keys.convert(Base64Url.decode(passkey.key()).orElseThrow());
            return recordOf(credential, passkey.counter(), passkey.isUserVerified(), passkey.isBackupEligible());
        } catch (RuntimeException e) {
            throw AuthUnavailableException.outage("A row of the table latchkey_passkey is no passkey", e);
        }
    }

    private static CredentialRecord recordOf(
            AttestedCredentialData credential, long counter, @Nullable Boolean verified, @Nullable Boolean backup) {
        return new CredentialRecordImpl(
                new NoneAttestationStatement(),
                verified,
                backup,
                null,
                counter,
                credential,
                new AuthenticationExtensionsAuthenticatorOutputs<>(),
                null,
                null,
                null);
    }

    /**
     * The result; empty after an exception. No call here asks a store, and the input decides about the exception of the library
     * or its parsers, so each exception means wrong input.
     */
    private static <T> Optional<T> unlessRefused(Supplier<@Nullable T> work) {
        try {
            return Optional.ofNullable(work.get());
        } catch (RuntimeException e) {
            return Optional.empty();
        }
    }

    /** A credential with a discarded private key. */
    private static AttestedCredentialData newDecoy() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            ECPublicKey key = (ECPublicKey) generator.generateKeyPair().getPublic();
            return new AttestedCredentialData(
                    AAGUID.ZERO, new byte[16], EC2COSEKey.create(key, COSEAlgorithmIdentifier.ES256));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every Java platform has the curve P-256", e);
        }
    }
}
