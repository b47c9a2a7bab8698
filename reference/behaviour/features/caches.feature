Feature: The other maps that are shared
  What is looked up and filled in two critical sections is filled twice, though
  every access is under a lock and the race detector has nothing to report.

  @buggy:duplicate-engine
  Scenario: Two readers open the replica of a file
    Given a database file
    When two readers open its replica, and both look before either writes
    Then both have the same replica
    And closing the pool closes every replica that was opened

  @buggy:duplicate-statement
  Scenario: Two readers prepare one query
    Given a database file
    When two readers prepare one query, and both look before either writes
    Then both have the same statement

  @buggy:two-inside
  Scenario: Two plans are applied on one project
    When two plans ask for the gate of one project, and both look before either writes
    Then only one of them can enter

  @buggy:escaped-map
  Scenario: The list of running jobs belongs to the caller
    Given a running job
    When the caller empties the list of running jobs
    Then the job still runs

  @buggy:race-report
  Scenario Outline: Locks that are forgotten, or let go too early
    When the program "<program>" runs under the race detector
    Then it reports no race in "<package>"

    Examples:
      | program        | package |
      | replicas       | replica |
      | counted jobs   | jobs    |
      | jobs in a list | jobs    |

  Scenario Outline: What the race detector cannot see, in either form
    When the program "<program>" runs under the race detector
    Then it reports no race in "<package>"

    Examples:
      | program    | package |
      | statements | stmts   |
      | gates      | gates   |

  @buggy:race-report
  Scenario Outline: Every method at the same time as every other
    When the program "<program>" runs under the race detector
    Then it reports no race in "<package>"

    Examples:
      | program         | package |
      | all of plans    | plan    |
      | all of jobs     | jobs    |
      | all of replicas | replica |
      | all of engines  | uow     |

  @buggy:race-report
  Scenario: Every method of the workspaces at the same time as every other
    When the program "all of workspaces" runs under the race detector
    Then it reports no race in "workspaces"

  Scenario: Every method of the statements at the same time as every other
    When the program "all of statements" runs under the race detector
    Then it reports no race in "stmts"

  @buggy:race-report
  Scenario Outline: A crowd that wants the same, and a race
    When the program "<program>" runs under the race detector
    Then it reports no race in "<package>"

    Examples:
      | program          | package    |
      | one action       | plan       |
      | queue of plans   | plan       |
      | one replica      | replica    |
      | one engine       | migrate    |
      | churn of engines | migrate    |
      | one phase        | workspaces |

  @buggy:done-twice
  Scenario Outline: A crowd that wants the same, and no race
    When the program "<program>" runs under the race detector
    Then nothing is done twice

    Examples:
      | program       |
      | one gate      |
      | one statement |
      | one workspace |

  Scenario Outline: A crowd that wants the same job
    When the program "<program>" runs under the race detector
    Then nothing is done twice

    Examples:
      | program       |
      | one job       |
      | queue of jobs |

  Scenario: Folders that are removed while they are asked for
    When the program "churn of workspaces" runs under the race detector
    Then nothing is done twice
