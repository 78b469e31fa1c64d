package dev.latchkey.auth.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.CredentialsReader;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.engine.HeaderFields;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Rules about credentials in header fields of a request. */
interface ReaderRules extends Rules<CredentialsReader> {

    /** Header fields of browsers and other clients. */
    Map<String, String> OF_OTHERS = Map.of(
            "Basic", "YWRhOmNvcnJlY3Q=",
            "Bearer", "eyJhbGciOiJIUzI1NiJ9.e30.AAAA",
            "Digest", "username=\"ada\"",
            "Negotiate", "YIIB",
            "OAuth", "realm=\"example\"");

    private CredentialsReaderContract fixture() {
        return (CredentialsReaderContract) trial().fixture();
    }

    private Optional<Credentials> read(CredentialsReader reader, String input, RequestContext request)
            throws Exception {
        return Calls.answer(input, () -> reader.read(request));
    }

    private boolean isAccepted(CredentialsReader reader, String input, RequestContext request) throws Exception {
        LoginSource<?> source = fixture().sourceFor(reader);
        Optional<Credentials> read = read(reader, input, request);
        return read.isPresent() && Accepted.by(source, input, read.get());
    }

    @Test
    default void credentialsThatAreRead_areAccepted() throws Exception {
        CredentialsReader reader = trial().open();
        String input = CredentialsReaderContract.VALID;
        assertTrue(
                isAccepted(reader, input, fixture().requestWithCredentials()),
                "the source does not accept what is read from " + input);
    }

    @Test
    default void challenge_isAFieldValue_andConstant() throws Exception {
        CredentialsReader reader = trial().open();
        Optional<String> challenge = Calls.answer("challenge()", reader::challenge);
        challenge.ifPresent(text -> assertTrue(
                !text.isBlank() && text.chars().allMatch(c -> c >= 0x20 && c < 0x7f),
                () -> "not visible ASCII: " + Hostile.shown(List.of(text))));
        assertEquals(challenge, reader.challenge(), "challenge(), the second time");
    }

    @Test
    default void read_takesAnyHeaderValue() throws Exception {
        CredentialsReader reader = trial().open();
        for (List<String> values : Hostile.headerValues()) {
            String input = "the header values " + Hostile.shown(values);
            RequestContext request = RequestContext.of(name -> values, Optional::empty);
            assertFalse(isAccepted(reader, input, request), () -> "accepted " + input);
        }
    }

    /** A request of another plugin's is no request with damaged credentials. */
    @Test
    default void read_leavesAloneWhatOthersSend() throws Exception {
        CredentialsReader reader = trial().open();
        String own = String.join(" ", fixture().requestWithCredentials().header("Authorization"));
        for (Map.Entry<String, String> scheme : OF_OTHERS.entrySet()) {
            if (!own.toLowerCase(Locale.ROOT).startsWith(scheme.getKey().toLowerCase(Locale.ROOT))) {
                String field = scheme.getKey() + " " + scheme.getValue();
                RequestContext request = RequestContext.none().withHeader("Authorization", field);
                String input = "the field Authorization: " + field;
                assertEquals(Optional.empty(), read(reader, input, request), () -> "took what is another's: " + input);
            }
        }
    }

    /** A proxy may have added the first value and its caller the second: if a plugin picks a value, the caller can choose. */
    @Test
    default void read_believesNeitherOfTwoValues() throws Exception {
        RequestContext request = fixture().requestWithCredentials();
        CredentialsReader reader = trial().open();
        for (String field : fieldsReadFrom(request)) {
            for (Map.Entry<String, String[]> input :
                    twoValues(request.header(field).get(0)).entrySet()) {
                assertFalse(
                        isAccepted(reader, input.getKey(), request.withHeader(field, input.getValue())),
                        () -> "took one of two values of the field " + field + ": " + input.getKey());
            }
        }
    }

    private static Map<String, String[]> twoValues(String valid) {
        String other = valid.substring(0, valid.length() - 1) + (valid.endsWith("x") ? "y" : "x");
        Map<String, String[]> inputs = new LinkedHashMap<>();
        inputs.put("a valid value, then another", new String[] {valid, other});
        inputs.put("another value, then a valid one", new String[] {other, valid});
        inputs.put("a valid value and another in one line, with a comma", new String[] {valid + ", " + other});
        inputs.put("another value and a valid one in one line, with a comma", new String[] {other + ", " + valid});
        return inputs;
    }

    /**
     * Empty means a request without such credentials: with a valid token the request passes. The starter itself requires a single
     * value of {@code Authorization}.
     */
    @Test
    default void read_overlooksNoFieldForItsTwoValues() throws Exception {
        RequestContext request = fixture().requestWithCredentials();
        for (String field : fieldsReadFrom(request)) {
            if (!field.equalsIgnoreCase("Authorization")) {
                String valid = request.header(field).get(0);
                String input = "two values of the field " + field;
                assertTrue(
                        read(trial().open(), input, request.withHeader(field, valid, valid))
                                .isPresent(),
                        () -> "read answered empty for " + input + ": answer with credentials that are rejected");
            }
        }
    }

    /** The fields of this request read by the plugin. */
    private Set<String> fieldsReadFrom(RequestContext request) throws Exception {
        Set<String> fields = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        HeaderFields listening = name -> {
            List<String> values = request.header(name);
            if (!values.isEmpty()) {
                fields.add(name);
            }
            return values;
        };
        read(trial().open(), CredentialsReaderContract.VALID, RequestContext.of(listening::values, request::address));
        assertFalse(fields.isEmpty(), "read asks for no field of requestWithCredentials()");
        return fields;
    }
}
