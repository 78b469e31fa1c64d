package dev.latchkey.plugins.passkeys;

import com.webauthn4j.converter.AttestationObjectConverter;
import com.webauthn4j.converter.AuthenticatorDataConverter;
import com.webauthn4j.converter.util.ObjectConverter;
import com.webauthn4j.data.attestation.AttestationObject;
import com.webauthn4j.data.attestation.authenticator.AAGUID;
import com.webauthn4j.data.attestation.authenticator.AttestedCredentialData;
import com.webauthn4j.data.attestation.authenticator.AuthenticatorData;
import com.webauthn4j.data.attestation.authenticator.COSEKey;
import com.webauthn4j.data.attestation.authenticator.EC2COSEKey;
import com.webauthn4j.data.attestation.statement.COSEAlgorithmIdentifier;
import com.webauthn4j.data.attestation.statement.NoneAttestationStatement;
import com.webauthn4j.data.extension.authenticator.AuthenticationExtensionAuthenticatorOutput;
import com.webauthn4j.data.extension.authenticator.RegistrationExtensionAuthenticatorOutput;
import dev.latchkey.auth.Secret;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.util.LinkedHashMap;
import java.util.Map;

/** A browser and an authenticator with one ES256 credential, which lie as a test tells them to. */
public final class Authenticator {

    private static final byte PRESENT = AuthenticatorData.BIT_UP;
    private static final byte VERIFIED = AuthenticatorData.BIT_UV;

    private final ObjectConverter objects = new ObjectConverter();
    private final KeyPair pair;
    private final byte[] id;
    private byte[] handle = new byte[0];

    public String origin = "https://example.com";
    public String domain = "example.com";
    public boolean isInAFrame;
    public byte flags = (byte) (PRESENT | VERIFIED);
    /** Before the next signature; below zero the authenticator does not count. */
    public long counter;
    /** The public key at the registration. */
    public COSEKey key;

    public Authenticator() {
        this(32);
    }

    /** With a credential id of this length. */
    public Authenticator(int idBytes) {
        id = new byte[idBytes];
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            pair = generator.generateKeyPair();
            key = EC2COSEKey.create((ECPublicKey) pair.getPublic(), COSEAlgorithmIdentifier.ES256);
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
        new SecureRandom().nextBytes(id);
    }

    public Authenticator withoutCounter() {
        counter = -1;
        return this;
    }

    public Authenticator unverified() {
        flags = PRESENT;
        return this;
    }

    public Authenticator absent() {
        flags = VERIFIED;
        return this;
    }

    public String id() {
        return Base64Url.encode(id);
    }

    public String handle() {
        return Base64Url.encode(handle);
    }

    /** The fields {@code attestation_object} and {@code client_data_json}. */
    public Map<String, Secret> register(Map<String, Object> options) {
        handle = Base64Url.decode((String) options.get("user_id")).orElseThrow();
        return register((String) options.get(PasskeyFields.CHALLENGE));
    }

    public Map<String, Secret> register(String challenge, String userId) {
        handle = Base64Url.decode(userId).orElseThrow();
        return register(challenge);
    }

    private Map<String, Secret> register(String challenge) {
        AuthenticatorData<RegistrationExtensionAuthenticatorOutput> data = new AuthenticatorData<>(
                sha256(domain.getBytes(StandardCharsets.UTF_8)),
                (byte) (flags | AuthenticatorData.BIT_AT),
                Math.max(0, counter),
                new AttestedCredentialData(AAGUID.ZERO, id, key));
        byte[] attestation = new AttestationObjectConverter(objects)
                .convertToBytes(new AttestationObject(data, new NoneAttestationStatement()));
        return Map.of(
                "attestation_object", text(attestation),
                "client_data_json", text(clientData("webauthn.create", challenge)));
    }

    /** All five fields. */
    public Map<String, Secret> sign(Map<String, Object> parameters) {
        return sign((String) parameters.get(PasskeyFields.CHALLENGE));
    }

    public Map<String, Secret> sign(String challenge) {
        long count = counter < 0 ? 0 : ++counter;
        AuthenticatorData<AuthenticationExtensionAuthenticatorOutput> data =
                new AuthenticatorData<>(sha256(domain.getBytes(StandardCharsets.UTF_8)), flags, count);
        byte[] authenticatorData = new AuthenticatorDataConverter(objects).convert(data);
        byte[] clientData = clientData("webauthn.get", challenge);
        Map<String, Secret> fields = new LinkedHashMap<>();
        fields.put(PasskeyFields.CREDENTIAL_ID, text(id));
        fields.put(PasskeyFields.CLIENT_DATA_JSON, text(clientData));
        fields.put(PasskeyFields.AUTHENTICATOR_DATA, text(authenticatorData));
        fields.put(PasskeyFields.SIGNATURE, text(signed(authenticatorData, sha256(clientData))));
        fields.put(PasskeyFields.USER_HANDLE, text(handle));
        return fields;
    }

    private byte[] clientData(String type, String challenge) {
        return ("{\"type\":\"" + type + "\",\"challenge\":\"" + challenge + "\",\"origin\":\"" + origin
                        + "\",\"crossOrigin\":" + isInAFrame + "}")
                .getBytes(StandardCharsets.UTF_8);
    }

    private byte[] signed(byte[] authenticatorData, byte[] clientDataHash) {
        try {
            Signature signature = Signature.getInstance("SHA256withECDSA");
            signature.initSign(pair.getPrivate());
            signature.update(ByteBuffer.allocate(authenticatorData.length + clientDataHash.length)
                    .put(authenticatorData)
                    .put(clientDataHash)
                    .array());
            return signature.sign();
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    private static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    private static Secret text(byte[] bytes) {
        return Secret.of(Base64Url.encode(bytes));
    }
}
