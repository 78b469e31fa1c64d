package dev.latchkey.auth.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.GrantReader;
import dev.latchkey.auth.IssuedCredentials;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * The contract of {@link GrantReader}, as tests: extend this class and supply a plugin, and the fields of a valid token request.
 */
public abstract class GrantReaderContract extends PluginContract<GrantReader> {

    private static final String VALID = "a valid grant";
    private static final String STANDARD = "password refresh_token client_credentials authorization_code";

    /** For fixtures. */
    protected GrantReaderContract() {}

    /**
     * The fields of a token request with valid credentials for every new plugin, without {@code grant_type}.
     *
     * @param grantType an element of {@link GrantReader#grantTypes()}
     * @return new fields at each call, if credentials are valid only once
     * @throws Exception if the fixture fails
     */
    protected abstract Map<String, Secret> validFields(String grantType) throws Exception;

    /**
     * The source that decides about the credentials of this reader.
     *
     * @param plugin of {@link #newPlugin()}
     * @return the plugin itself unless overridden. Override this method if the reader is no source
     * @throws Exception if the fixture fails
     */
    protected LoginSource<?> sourceFor(GrantReader plugin) throws Exception {
        return Accepted.sourceIn(plugin, "sourceFor(…)");
    }

    /**
     * The names of optional fields.
     *
     * @return empty unless overridden
     */
    protected Set<String> optionalFields() {
        return Set.of();
    }

    @Override
    final List<Probe<GrantReader>> probes() {
        Probe<GrantReader> valid = new Probe<>(
                VALID,
                reader -> () -> {
                    String type = reader.grantTypes().iterator().next();
                    Optional<Credentials> read = reader.read(type, seen(validFields(type)), RequestContext.none());
                    read.ifPresent(this::seen);
                    return read;
                },
                answer -> answer instanceof Optional<?> read && read.isPresent(),
                answer -> false,
                Probe.Use.ONCE_EACH,
                Probe.Store.MAYBE);
        return List.of(valid);
    }

    private boolean isAccepted(GrantReader reader, String input, String type, Map<String, Secret> fields)
            throws Exception {
        LoginSource<?> source = sourceFor(reader);
        Optional<Credentials> read = Calls.answer(input, () -> reader.read(type, fields, RequestContext.none()));
        assertFalse(
                read.orElse(null) instanceof IssuedCredentials,
                () -> "IssuedCredentials from " + input + ": the token endpoint issues no tokens for them");
        return read.isPresent() && Accepted.by(source, input, read.get());
    }

    /**
     * There is at least one type, and the types never change. None is a type of OAuth 2.0 itself, because the service reads these
     * types.
     */
    @Test
    final void grantTypes_areConstant_andExtensions() throws Exception {
        GrantReader reader = trial().open();
        Set<String> types = Calls.answer("grantTypes()", reader::grantTypes);
        assertFalse(types.isEmpty(), "grantTypes() is empty, so the plugin is never asked");
        for (String type : types) {
            assertFalse(type.isBlank(), "a grant type is blank");
            assertFalse(
                    List.of(STANDARD.split(" ")).contains(type), () -> "the grant type '" + type + "' is OAuth's own");
        }
        assertEquals(types, reader.grantTypes(), "grantTypes(), the second time");
        assertEquals(types, trial().open().grantTypes(), "grantTypes() of another instance");
    }

    /** The source accepts the credentials of a valid grant. These credentials are no {@link IssuedCredentials}. */
    @Test
    final void validGrant_isReadAndAccepted() throws Exception {
        GrantReader reader = trial().open();
        for (String type : reader.grantTypes()) {
            assertTrue(
                    isAccepted(reader, VALID, type, validFields(type)),
                    () -> "the source does not accept what is read from a valid grant of the type " + type);
        }
    }

    /** A client may send further fields, and a service passes the id of a registered client (RFC 6749 section 3.2). */
    @Test
    final void fieldThatTheReaderDoesNotKnow_isIgnored() throws Exception {
        GrantReader reader = trial().open();
        for (String type : reader.grantTypes()) {
            Map<String, Secret> fields = new LinkedHashMap<>(validFields(type));
            fields.putIfAbsent("client_id", Secret.of("a-client"));
            fields.putIfAbsent("field-that-no-reader-knows", Secret.of("any"));
            assertTrue(
                    isAccepted(reader, "a valid grant with further fields", type, fields),
                    () -> "the source does not accept a valid grant of the type " + type
                            + " with a further field, such as client_id");
        }
    }

    /** A grant with a missing or damaged field causes neither an exception nor a login. */
    @Test
    final void grantThatIsDamaged_isNotAccepted() throws Exception {
        GrantReader reader = trial().open();
        for (String type : reader.grantTypes()) {
            assertFalse(
                    isAccepted(reader, "a grant without fields", type, Map.of()), "accepted a grant without fields");
            for (Map.Entry<String, Map<String, Secret>> damaged :
                    damaged(validFields(type)).entrySet()) {
                assertFalse(
                        isAccepted(reader, damaged.getKey(), type, damaged.getValue()),
                        () -> "accepted " + damaged.getKey());
            }
        }
    }

    private Map<String, Map<String, Secret>> damaged(Map<String, Secret> valid) {
        Map<String, Map<String, Secret>> all = new LinkedHashMap<>();
        for (String field : valid.keySet()) {
            if (optionalFields().contains(field)) {
                continue;
            }
            Map<String, Secret> without = new LinkedHashMap<>(valid);
            without.remove(field);
            all.put("a grant without the field " + field, without);
            for (String text : Hostile.TEXTS) {
                Map<String, Secret> hostile = new LinkedHashMap<>(valid);
                hostile.put(field, Secret.of(text));
                all.put("the field " + field + " with " + Hostile.shown(text), hostile);
            }
        }
        return all;
    }
}
