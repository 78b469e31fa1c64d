package dev.latchkey.tests.contracts;

import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.contract.LoginSourceContract;
import org.junit.jupiter.api.Nested;

/** No rule of a kit accuses a plugin that keeps the contract. */
class RightPluginsTest {

    @Nested
    class Passwords extends Kits.Passwords {
        Passwords() {
            super(PasswordPlugin::new);
        }
    }

    @Nested
    class Tickets extends Kits.Tickets {
        Tickets() {
            super(TicketPlugin::new);
        }
    }

    @Nested
    class Fields extends Kits.Fields {
        Fields() {
            super(FieldsPlugin::new);
        }
    }

    @Nested
    class Keys extends Kits.Keys {
        Keys() {
            super(KeyPlugin::new);
        }
    }

    @Nested
    class Readers extends Kits.Readers {
        Readers() {
            super(TicketPlugin::new);
        }
    }

    @Nested
    class Revokers extends Kits.Revokers {
        Revokers() {
            super(TicketPlugin::new);
        }
    }

    /** A source of one-time credentials needs no dummy answers. */
    @Nested
    class Links extends Kits.Links {
        Links() {
            super(LinkPlugin::new);
        }
    }

    /** A guess counts against the links of everybody, and the fifth wrong guess voids all of them. */
    @Nested
    class CountedLinks extends Kits.Links {
        CountedLinks() {
            super(CountedLinkPlugin::new);
        }
    }

    /** The credentials themselves reject a field in upper case. */
    @Nested
    class Numbers extends LoginSourceContract {

        @Override
        protected LoginSource<?> newPlugin() {
            return new NumberPlugin();
        }

        @Override
        protected Credentials validCredentials() {
            return NumberPlugin.VALID;
        }

        @Override
        protected Credentials wrongCredentials() {
            return NumberPlugin.WRONG;
        }
    }

    @Nested
    class Grants extends Kits.Grants {
        Grants() {
            super(LinkPlugin::new);
        }
    }

    /** Permissions alone need no dummy answers. */
    @Nested
    class Permissions extends Kits.Permissions {
        Permissions() {
            super(RolePermissions::new);
        }
    }

    @Nested
    class Pins extends Kits.Pins {
        Pins() {
            super(PinStep::new);
        }
    }

    @Nested
    class OwnPins extends Kits.OwnPins {
        OwnPins() {
            super(PinSource::new);
        }
    }

    /** One wrong guess voids a code. */
    @Nested
    class CodesOfOneGuess extends Kits.Codes {
        CodesOfOneGuess() {
            super(OneGuessStep::new);
        }
    }

    @Nested
    class CodesAndPins extends Kits.CodesAndPins {
        CodesAndPins() {
            super(CodeAndPinStep::new);
        }
    }

    @Nested
    class Codes extends Kits.Codes {
        Codes() {
            super(CodeStep::new);
        }
    }
}
