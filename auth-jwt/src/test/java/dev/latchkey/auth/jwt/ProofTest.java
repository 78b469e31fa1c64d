package dev.latchkey.auth.jwt;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.constructors;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** There is one way to come by the claims of a token. */
class ProofTest {

    /** The published classes of this module, read once. */
    static final JavaClasses MODULE = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackagesOf(VerifiedJwt.class);

    @Test
    void verifiedToken_isMadeByTheCheckOfTokensAlone() {
        constructors()
                .that()
                .areDeclaredIn(VerifiedJwt.class)
                .should()
                .bePackagePrivate()
                .check(MODULE);
        noClasses()
                .that()
                .doNotBelongToAnyOf(TokenCheck.class)
                .should()
                .callConstructor(VerifiedJwt.class, byte[].class, byte[].class, RegisteredClaims.class)
                .check(MODULE);
    }

    @Test
    void claims_areHandedOutOfVerifiedTokensAlone() {
        methods()
                .that()
                .arePublic()
                .and()
                .haveRawReturnType(Map.class)
                .should()
                .beDeclaredIn(VerifiedJwt.class)
                .check(MODULE);
        methods()
                .that()
                .arePublic()
                .and()
                .haveRawReturnType(VerifiedJwt.class)
                .should()
                .beDeclaredIn(JwtVerifier.class)
                .orShould()
                .beDeclaredIn(JwtResult.Verified.class)
                .check(MODULE);
    }
}
