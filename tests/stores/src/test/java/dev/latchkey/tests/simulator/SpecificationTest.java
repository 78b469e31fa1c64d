package dev.latchkey.tests.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import edu.mit.csail.sdg.alloy4.A4Reporter;
import edu.mit.csail.sdg.ast.Command;
import edu.mit.csail.sdg.parser.CompModule;
import edu.mit.csail.sdg.parser.CompUtil;
import edu.mit.csail.sdg.translator.A4Options;
import edu.mit.csail.sdg.translator.TranslateAlloyToKodkod;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import kodkod.engine.satlab.SATFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The specifications of refreshes and of the copies of revocations: each command has a counterexample where the model
 * expects a counterexample, and none elsewhere. A planted fault is a command, and so a test.
 */
@Tag("specification")
class SpecificationTest {

    @TempDir
    private static Path folder;

    private record Question(String name, Command command, CompModule model) {

        @Override
        public String toString() {
            return name + ", " + command;
        }
    }

    static List<Question> commandsOfBoth() throws IOException {
        List<Question> all = new ArrayList<>();
        for (String name : List.of("refresh.als", "revocations.als")) {
            CompModule model = model(name);
            model.getAllCommands().forEach(command -> all.add(new Question(name, command, model)));
        }
        return all;
    }

    @ParameterizedTest
    @MethodSource("commandsOfBoth")
    void command_hasTheExpectedResult(Question question) {
        assertThat(isSatisfiable(question)).isEqualTo(question.command().expects == 1);
    }

    /** Of each model, a promise and a fault are asked for. */
    @Test
    void bothModels_haveFaultsAndPromises() throws IOException {
        assertThat(commandsOfBoth())
                .extracting(each -> each.name() + " " + each.command().expects)
                .contains("refresh.als 0", "refresh.als 1", "revocations.als 0", "revocations.als 1");
        assertThat(commandsOfBoth())
                .allSatisfy(each -> assertThat(each.command().expects).isBetween(0, 1));
    }

    private static CompModule model(String name) throws IOException {
        Path file = folder.resolve(name);
        try (InputStream text =
                Objects.requireNonNull(SpecificationTest.class.getResourceAsStream("/specification/" + name), name)) {
            Files.copy(text, file, StandardCopyOption.REPLACE_EXISTING);
        }
        return CompUtil.parseEverything_fromFile(A4Reporter.NOP, null, file.toString());
    }

    private static boolean isSatisfiable(Question question) {
        A4Options options = new A4Options();
        options.solver = solver();
        return TranslateAlloyToKodkod.execute_command(
                        A4Reporter.NOP, question.model().getAllReachableSigs(), question.command(), options)
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
