package dev.latchkey.auth.spring.pairs;

import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** {@code docs/reference/pairs.md} shows the tables that {@link LoginPairsTest}, {@link CredentialPairsTest} and {@link ManagementPairsTest} try. */
class PairsReferenceTest {

    @Test
    void page_showsTheTables() throws IOException {
        PairTable.read("logins.txt").isShownAs("logins", columns(Rule.values(), Rule::label, Rule::shown));
        PairTable.read("credentials.txt").isShownAs("credentials", columns(End.values(), End::label, End::shown));
        PairTable.read("management.txt")
                .isShownAs("management", columns(Managed.values(), Managed::label, Managed::shown));
    }

    private static <T> Map<String, String> columns(T[] all, Function<T, String> label, Function<T, String> meaning) {
        return Arrays.stream(all).collect(Collectors.toMap(label, meaning, (one, other) -> one, LinkedHashMap::new));
    }
}
