package dev.latchkey.tests.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import edu.mit.csail.sdg.alloy4.A4Reporter;
import edu.mit.csail.sdg.ast.Command;
import edu.mit.csail.sdg.parser.CompModule;
import edu.mit.csail.sdg.parser.CompUtil;
import edu.mit.csail.sdg.translator.A4Options;
import edu.mit.csail.sdg.translator.TranslateAlloyToKodkod;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import kodkod.engine.satlab.SATFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The specification of refreshes: each command has a counterexample where the model expects one, and none elsewhere. */
@Tag("specification")
class SpecificationTest {

    @TempDir
    private Path folder;

    @Test
    void eachCommand_hasTheExpectedResult() throws Exception {
        CompModule model = model();
        assertThat(model.getAllCommands())
                .isNotEmpty()
                .allSatisfy(command -> assertThat(isSatisfiable(command, model))
                        .as(command.toString())
                        .isEqualTo(command.expects == 1));
    }

    private CompModule model() throws Exception {
        Path file = folder.resolve("refresh.als");
        try (InputStream text = Objects.requireNonNull(
                SpecificationTest.class.getResourceAsStream("/specification/refresh.als"), "refresh.als")) {
            Files.copy(text, file);
        }
        return CompUtil.parseEverything_fromFile(A4Reporter.NOP, null, file.toString());
    }

    private static boolean isSatisfiable(Command command, CompModule model) {
        A4Options options = new A4Options();
        options.solver = solver();
        return TranslateAlloyToKodkod.execute_command(A4Reporter.NOP, model.getAllReachableSigs(), command, options)
                .satisfiable();
    }

    /** The native solver is several times as fast, and is missing on some platforms. */
    private static SATFactory solver() {
        return SATFactory.getSolvers().stream()
                .filter(each -> each.id().equals("glucose"))
                .findFirst()
                .orElse(SATFactory.DEFAULT);
    }
}
