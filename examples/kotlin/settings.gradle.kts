rootProject.name = "latchkey-in-kotlin"
