package dev.latchkey.auth.contract;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Factors;
import dev.latchkey.auth.Subject;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Logins as large and as odd as a login may be. */
final class Logins {

    private static final int LONGEST_ID = 255;
    private static final int MOST_CLAIMS = 32;
    private static final int CHARACTERS_OF_ALL_CLAIMS = 2_048;
    private static final List<String> IDS = List.of(
            "a".repeat(LONGEST_ID),
            "\u4E2D".repeat(LONGEST_ID),
            "' OR '1'='1",
            "*)(uid=*",
            "../../etc/passwd",
            "\uFEFFadmin",
            "a\uD800b",
            "{bcrypt}",
            "another-source:ada",
            "a%s{0}$1");

    private Logins() {}

    static Map<String, Authenticated> unusual(Authenticated login) {
        Map<String, Authenticated> all = new LinkedHashMap<>();
        for (String id : IDS) {
            if (Subject.isId(id)) {
                all.put(
                        "the subject " + Hostile.shown(id),
                        login.withSubject(login.subject().withId(id)));
            }
        }
        all.put("a login with all claims that a subject may have", login.withSubject(withClaims(login.subject())));
        Set<String> authorities = new TreeSet<>();
        for (int i = 0; i < 1_000; i++) {
            authorities.add("ROLE_" + i);
        }
        all.put(
                "a login with 1,000 authorities",
                login.withSubject(login.subject().withAuthorities(authorities)));
        Set<String> methods = Set.of("a", "b", "c", "d", "e", "f", "g");
        all.put("a login with seven factors", login.withFactors(new Factors(methods, Instant.EPOCH)));
        all.put(
                "a login without authorities",
                login.withSubject(Subject.of(login.subject().id())));
        return all;
    }

    private static Subject withClaims(Subject subject) {
        Map<String, Object> claims = new LinkedHashMap<>();
        int each = CHARACTERS_OF_ALL_CLAIMS / MOST_CLAIMS;
        for (int i = 0; i < MOST_CLAIMS; i++) {
            String name = "kit-" + i;
            claims.put(name, "c".repeat(each - name.length()));
        }
        return subject.withClaims(claims);
    }
}
