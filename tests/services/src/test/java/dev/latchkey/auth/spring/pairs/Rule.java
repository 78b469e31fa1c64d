package dev.latchkey.auth.spring.pairs;

import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.jwt.HmacKey;
import dev.latchkey.auth.spring.access.FeatureBans;
import dev.latchkey.auth.spring.token.SigningKeyRotation;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;

/** A rule of the whole service, and what a login of any way meets of it. */
enum Rule {
    NONE("no rule", "the login, then a request") {
        @Override
        String meet(Visit visit) throws Exception {
            Visit.Login login = visit.login(Visit.SECRET);
            return visit.way().isRepeated() ? login.shown() : login.shown() + ", then " + visit.use(login);
        }
    },
    SECOND_STEP("second step required", "the login, with each step that is asked for") {
        @Override
        String meet(Visit visit) throws Exception {
            visit.change(row -> row.wanting(1));
            return visit.login(Visit.SECRET).shown();
        }
    },
    TWO_STEPS("two second steps", "the login, with each step that is asked for") {
        @Override
        String meet(Visit visit) throws Exception {
            visit.change(row -> row.wanting(2));
            return visit.login(Visit.SECRET).shown();
        }
    },
    DISABLED("account disabled", "the login") {
        @Override
        String meet(Visit visit) throws Exception {
            visit.change(World.Row::disabled);
            return visit.login(Visit.SECRET).shown();
        }
    },
    CHANGED(
            "password changed",
            "after a login and the change: a login with the old password, and a login with the new password") {
        @Override
        String meet(Visit visit) throws Exception {
            visit.login(Visit.SECRET);
            visit.change(row -> row.withSecret("another-secret"));
            return "old " + visit.login(Visit.SECRET).shown() + "; new "
                    + visit.login("another-secret").shown();
        }
    },
    FULL("session bound reached", "a login after as many as the account may have, `when-full=refuse`") {
        @Override
        String meet(Visit visit) throws Exception {
            for (int i = 0; i < PairServices.MOST_LOGINS; i++) {
                visit.login(Visit.SECRET);
            }
            return visit.login(Visit.SECRET).shown();
        }
    },
    LIMIT("login limit reached", "a right login after many wrong ones") {
        @Override
        String meet(Visit visit) throws Exception {
            for (int i = 0; i < MOST_GUESSES; i++) {
                if (visit.login("wrong" + i).last().status() == 429) {
                    break;
                }
            }
            return visit.login(Visit.SECRET).shown();
        }
    },
    DENIED("permission denied", "a request for what a plugin denies") {
        @Override
        String meet(Visit visit) throws Exception {
            return visit.get("/denied", visit.login(Visit.SECRET)).shown();
        }
    },
    BANNED("feature banned", "a request for a feature that the account is banned from, and after the ban was lifted") {
        @Override
        String meet(Visit visit) throws Exception {
            FeatureBans bans = visit.service().getBean(FeatureBans.class);
            Visit.Login login = visit.login(Visit.SECRET);
            bans.ban(visit.subject(), "comments", Instant.MAX);
            String banned = visit.get("/comments", login).shown();
            bans.lift(visit.subject(), "comments");
            return "banned " + banned + "; lifted "
                    + visit.get("/comments", login).shown();
        }
    },
    PROOF(
            "recent proof demanded",
            "a request for what wants a proof of the last five minutes, now and ten minutes later") {
        @Override
        String meet(Visit visit) throws Exception {
            Visit.Login login = visit.login(Visit.SECRET);
            String now = visit.get("/fresh", login).shown();
            visit.world().move(Duration.ofMinutes(10));
            return "now " + now + "; later " + visit.get("/fresh", login).shown();
        }
    },
    REVOKED("subject revoked", "what the login gave, and another login") {
        @Override
        String meet(Visit visit) throws Exception {
            Visit.Login before = visit.login(Visit.SECRET);
            revoke(visit);
            return "before " + visit.use(before) + "; again "
                    + visit.login(Visit.SECRET).shown();
        }
    },
    ROTATED("key rotated", "what the login gave, after a rotation and after a rotation that drops the key") {
        @Override
        String meet(Visit visit) throws Exception {
            SigningKeyRotation keys = visit.service().getBean(SigningKeyRotation.class);
            Visit.Login before = visit.login(Visit.SECRET);
            keys.rotateTo(newKey());
            String rotated = visit.use(before);
            keys.rotateAndDrop(newKey());
            return "rotated " + rotated + "; dropped " + visit.use(before);
        }
    },
    SOURCE_DOWN(
            "plugin down",
            "a login while the source of the account does not answer, told by an `AuthUnavailableException`") {
        @Override
        String meet(Visit visit) throws Exception {
            visit.world().sourcesAreDown = true;
            try {
                return visit.login(Visit.SECRET).shown();
            } finally {
                visit.world().sourcesAreDown = false;
            }
        }
    },
    STORE_DOWN(
            "store down",
            "what the login gave, and another login, while the stores of logins and revocations do not answer") {
        @Override
        String meet(Visit visit) throws Exception {
            Visit.Login before = visit.login(Visit.SECRET);
            visit.world().storesAreDown = true;
            try {
                return "before " + visit.use(before) + "; again "
                        + visit.login(Visit.SECRET).shown();
            } finally {
                visit.world().storesAreDown = false;
            }
        }
    };

    private static final int MOST_GUESSES = 60;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final String label;
    private final String shown;

    Rule(String label, String shown) {
        this.label = label;
        this.shown = shown;
    }

    String label() {
        return label;
    }

    /** What a cell says. */
    String shown() {
        return shown;
    }

    abstract String meet(Visit visit) throws Exception;

    /** Ends everything of the subject; a revocation covers the whole of its second. */
    static void revoke(Visit visit) {
        visit.service()
                .getBean(AuthChain.class)
                .revokeAll(visit.subject(), visit.world().instant());
        visit.world().move(Duration.ofSeconds(2));
    }

    static HmacKey newKey() {
        byte[] key = new byte[32];
        RANDOM.nextBytes(key);
        return HmacKey.of(key);
    }
}
