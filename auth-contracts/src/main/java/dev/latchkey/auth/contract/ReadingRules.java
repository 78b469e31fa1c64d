package dev.latchkey.auth.contract;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.HeaderFields;
import dev.latchkey.auth.RequestContext;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** What is read from the header fields of a request. */
interface ReadingRules extends Rules {

    @Test
    default void challenge_isAFieldValue_andConstant() throws Exception {
        AuthPlugin plugin = trial().open();
        Optional<String> challenge = plugin.challenge();
        challenge.ifPresent(text -> assertTrue(
                !text.isBlank() && text.chars().allMatch(c -> c >= 0x20 && c < 0x7f),
                () -> "not visible ASCII: " + Hostile.shown(List.of(text))));
        assertEquals(challenge, plugin.challenge(), "the second time");
    }

    @Test
    default void read_findsNothingInAnEmptyRequest() throws Exception {
        assertEquals(Optional.empty(), trial().open().read(RequestContext.none()));
    }

    @Test
    default void read_takesAnyHeaderValue() throws Exception {
        AuthPlugin plugin = trial().open();
        for (List<String> values : Hostile.headerValues()) {
            String input = "the header values " + Hostile.shown(values);
            Optional<Credentials> read = assertDoesNotThrow(
                    () -> plugin.read(RequestContext.of(name -> values, Optional::empty)),
                    () -> "read threw for " + input);
            assertNotNull(read, () -> "read answered null where it must answer empty, for " + input);
            if (read.isPresent()) {
                Trial.assertNobody(plugin, input, read.get());
            }
        }
    }

    @TestFactory
    default Stream<DynamicTest> read_findsValidCredentials() throws Exception {
        return trial().fixture().requestWithValidCredentials().stream()
                .map(request -> dynamicTest("from a request", () -> {
                    AuthPlugin plugin = trial().open();
                    Credentials read = plugin.read(request).orElseThrow(() -> new AssertionError("read found nothing"));
                    assertEquals(
                            trial().subjectOf(plugin),
                            Trial.authenticated(plugin, "credentials read from a request", read)
                                    .subject());
                }));
    }

    /** One of them may be a proxy's and the other its caller's: whoever picks one lets the caller choose who is believed. */
    @TestFactory
    default Stream<DynamicTest> read_believesNeitherOfTwoValues() throws Exception {
        return trial().fixture().requestWithValidCredentials().stream()
                .flatMap(request -> fieldsReadBy(request).stream()
                        .map(field -> dynamicTest("field " + field, () -> assertNeitherIsTaken(request, field))));
    }

    /**
     * What is empty is a request without such credentials: beside a good token it passes, and with one wrong value it does not. Of {@code Authorization} the starter
     * itself takes one value only.
     */
    @TestFactory
    default Stream<DynamicTest> read_overlooksNoFieldForItsTwoValues() throws Exception {
        return trial().fixture().requestWithValidCredentials().stream()
                .flatMap(request -> fieldsReadBy(request).stream()
                        .filter(field -> !field.equalsIgnoreCase("Authorization"))
                        .map(field -> dynamicTest("field " + field, () -> {
                            String valid = request.headers().values(field).get(0);
                            RequestContext two = request.withHeader(field, valid, valid);
                            assertTrue(
                                    trial().open().read(two).isPresent(),
                                    () -> "read answered empty for two values of the field " + field
                                            + ": answer with credentials that are refused");
                        })));
    }

    /** The fields of this request that the plugin asks for. */
    private Set<String> fieldsReadBy(RequestContext request) {
        Set<String> fields = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        HeaderFields listening = name -> {
            List<String> values = request.headers().values(name);
            if (!values.isEmpty()) {
                fields.add(name);
            }
            return values;
        };
        assertDoesNotThrow(() -> trial().open().read(RequestContext.of(listening, request::address)));
        assertFalse(fields.isEmpty(), "read asks for no field of requestWithValidCredentials()");
        return fields;
    }

    private void assertNeitherIsTaken(RequestContext request, String field) throws Exception {
        AuthPlugin plugin = trial().open();
        String valid = request.headers().values(field).get(0);
        String other = valid.substring(0, valid.length() - 1) + (valid.endsWith("x") ? "y" : "x");
        Map<String, String[]> inputs = new LinkedHashMap<>();
        inputs.put("a valid value, then another", new String[] {valid, other});
        inputs.put("another value, then a valid one", new String[] {other, valid});
        inputs.put("a valid value and another in one line, with a comma", new String[] {valid + ", " + other});
        inputs.put("another value and a valid one in one line, with a comma", new String[] {other + ", " + valid});
        for (Map.Entry<String, String[]> input : inputs.entrySet()) {
            Optional<Credentials> read = plugin.read(request.withHeader(field, input.getValue()));
            if (read.isPresent()) {
                Decision decision = Trial.answer(plugin, input.getKey(), read.get());
                assertFalse(
                        decision instanceof Authenticated,
                        () -> "took one of two values of the field " + field + ": " + input.getKey());
            }
        }
    }
}
